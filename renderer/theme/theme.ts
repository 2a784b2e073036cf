import { createTheme } from '@mantine/core';

/** Sizes and habits of the controls; every colour is a variable in tokens.css. */
export const theme = createTheme({
  primaryColor: 'blue',
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    NativeSelect: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm', checkIconPosition: 'right' } },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 80 } } },
    // The placeholder would be a child of the menu that is no item of it (WAI-ARIA). The menu itself has the focus first.
    Menu: { defaultProps: { transitionProps: { duration: 80 }, withInitialFocusPlaceholder: false } },
    Popover: { defaultProps: { transitionProps: { duration: 80 } } },
  },
});
