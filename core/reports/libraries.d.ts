/** Members of the PDF library and of its font library that their published types lack. */
import type { Font } from 'fontkit';

declare module 'fontkit' {
  interface Subset {
    /** The font's glyphs by their numbers in the subset. */
    glyphs: number[];
  }
}

declare global {
  namespace PDFKit.Mixins {
    interface PDFFont {
      /** The library draws with every object that has the methods of an opened font. */
      registerFont(name: string, font: Font): this;
    }
    interface StructureElementOptions {
      /** The cells that a head of a table stands for. */
      scope?: 'Row' | 'Column' | undefined;
    }
  }
}
