/** Renders the guides, the reference, the explanations and the glossary as static pages, which the service serves under /manual. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { Marked, type Tokens } from 'marked';
import type { Plugin } from 'vite';

const PROJECT = join(import.meta.dirname, '..');
const DOCS = join(PROJECT, 'docs');

/** The folders of the manual in the order of its menu, with their headings. */
const PARTS = [
  { folder: 'guides', heading: 'Guides' },
  { folder: 'reference', heading: 'Reference' },
  { folder: 'explanation', heading: 'Explanation' },
] as const;

/** @returns the files of the manual by their path below /manual */
export function manualFiles(): Map<string, string | Buffer> {
  const index = readFileSync(join(DOCS, 'README.md'), 'utf8');
  const sources = [
    'README.md',
    'glossary.md',
    ...PARTS.flatMap(({ folder }) => readdirSync(join(DOCS, folder)).map((name) => `${folder}/${name}`)),
  ].toSorted((one, other) => index.indexOf(`(${one})`) - index.indexOf(`(${other})`));
  const texts = new Map(sources.map((source) => [source, readFileSync(join(DOCS, source), 'utf8')]));
  const titles = new Map([...texts].map(([source, text]) => [source, /^# (.+)$/m.exec(text)?.[1] ?? source]));
  const files = new Map<string, string | Buffer>([
    ['manual.css', readFileSync(join(import.meta.dirname, 'manual.css'), 'utf8')],
  ]);
  for (const [source, text] of texts) {
    const pictures: string[] = [];
    files.set(addressOf(source), page(source, text, titles, pictures));
    for (const picture of pictures) files.set(pictureOf(picture), readFileSync(join(DOCS, picture)));
  }
  return files;
}

/** Adds the manual to the built dashboard. */
export function manual(): Plugin {
  return {
    name: 'manual',
    apply: 'build',
    generateBundle() {
      for (const [path, source] of manualFiles())
        this.emitFile({ type: 'asset', fileName: `manual/${path}`, source });
    },
  };
}

function addressOf(source: string): string {
  return source === 'README.md' ? 'index.html' : source.replace(/\.md$/, '.html');
}

function pictureOf(picture: string): string {
  return `pictures/${basename(picture)}`;
}

/** @param source path of the page below docs @param pictures receives the pictures that the page shows */
function page(source: string, text: string, titles: ReadonlyMap<string, string>, pictures: string[]): string {
  const to = (target: string) => relative(dirname(source), target) || '.';
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const content = this.parser.parseInline(tokens);
        return `<h${depth} id="${anchorOf(content)}">${content}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const content = this.parser.parseInline(tokens);
        const [path = '', anchor] = href.split('#');
        const target = path === '' ? source : normalize(join(dirname(source), path));
        // Decisions, research and sources are in the repository and not in the manual.
        if (!titles.has(target)) return content;
        const address = to(addressOf(target));
        return `<a href="${address}${anchor === undefined ? '' : `#${anchor}`}">${content}</a>`;
      },
      image({ href, text: alternative }: Tokens.Image) {
        const picture = normalize(join(dirname(source), href));
        pictures.push(picture);
        return `<img src="${to(pictureOf(picture))}" alt="${escaped(alternative)}">`;
      },
      table(
        this: { parser: { parseInline(tokens: Tokens.TableCell['tokens']): string } },
        token: Tokens.Table,
      ) {
        const row = (cells: Tokens.TableCell[], tag: 'th' | 'td') =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="wide" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const menu = PARTS.map(({ folder, heading }) => {
    const entries = [...titles]
      .filter(([path]) => path.startsWith(`${folder}/`))
      .map(([path, title]) => {
        const current = path === source ? ' aria-current="page"' : '';
        return `<li><a href="${to(addressOf(path))}"${current}>${escaped(title)}</a></li>`;
      });
    return `<h2>${heading}</h2><ul>${entries.join('')}</ul>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(titles.get(source) ?? '')} – Vouch manual</title>
<link rel="stylesheet" href="${to('manual.css')}">
</head>
<body>
<nav aria-label="Manual"><p><a href="${to('index.html')}">Manual</a> · <a href="${to('glossary.html')}">Glossary</a></p>${menu.join('')}</nav>
<main>
${marked.parse(text, { async: false })}</main>
</body>
</html>
`;
}

/** The anchor of a heading as GitHub forms it. @param content HTML of the heading */
function anchorOf(content: string): string {
  return content
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&[#\w]+;/g, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
