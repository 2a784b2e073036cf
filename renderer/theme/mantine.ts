/**
 * The stylesheets of the Mantine components that the dashboard uses, with those of the parts that they are made of, in
 * the order of the package. All of them together would be twice the size (mantine.test.ts).
 */
import { createElement, type ComponentProps, type MouseEvent } from 'react';
import { createTheme } from '@mantine/core';
import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/global.css';
import '@mantine/core/styles/ScrollArea.css';
import '@mantine/core/styles/UnstyledButton.css';
import '@mantine/core/styles/VisuallyHidden.css';
import '@mantine/core/styles/Paper.css';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/Loader.css';
import '@mantine/core/styles/ActionIcon.css';
import '@mantine/core/styles/CloseButton.css';
import '@mantine/core/styles/Group.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/Flex.css';
import '@mantine/core/styles/Alert.css';
import '@mantine/core/styles/Text.css';
import '@mantine/core/styles/Anchor.css';
import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Checkbox.css';
import '@mantine/core/styles/Button.css';
import '@mantine/core/styles/Mark.css';
import '@mantine/core/styles/Kbd.css';
import '@mantine/core/styles/Menu.css';
import '@mantine/core/styles/Modal.css';
import '@mantine/core/styles/Pill.css';
import '@mantine/core/styles/PillsInput.css';
import '@mantine/core/styles/NumberInput.css';
import '@mantine/core/styles/PasswordInput.css';
import '@mantine/core/styles/Progress.css';
import '@mantine/core/styles/Radio.css';
import '@mantine/core/styles/Tooltip.css';
import '@mantine/core/styles/RingProgress.css';
import '@mantine/core/styles/Slider.css';
import '@mantine/core/styles/Switch.css';
import '@mantine/core/styles/Tabs.css';
import '@mantine/spotlight/styles.css';

/**
 * The element of a button. While its action runs it cannot be pressed, and keeps the focus: a browser takes that from a
 * disabled button.
 */
function PressedOnce(props: ComponentProps<'button'> & { 'data-loading'?: true; 'data-disabled'?: true }) {
  const busy = props['data-loading'] === true && props['data-disabled'] === undefined;
  const own = {
    disabled: false,
    'aria-disabled': true,
    onClick: (event: MouseEvent) => event.preventDefault(),
  };
  // The library gives its own element this type: without one, a button sends the form around it.
  return createElement('button', { ...props, type: props.type ?? 'button', ...(busy && own) });
}

/** Sizes and habits of the controls; every colour is a variable in tokens.css. */
export const theme = createTheme({
  primaryColor: 'blue',
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'sm', component: PressedOnce } },
    TextInput: { defaultProps: { size: 'sm', withAsterisk: false } },
    PasswordInput: { defaultProps: { size: 'sm', withAsterisk: false } },
    NativeSelect: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm', checkIconPosition: 'right' } },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 80 } } },
    // The placeholder would be a child of the menu that is no item of it (WAI-ARIA). The menu itself has the focus first.
    Menu: { defaultProps: { transitionProps: { duration: 80 }, withInitialFocusPlaceholder: false } },
    Popover: { defaultProps: { transitionProps: { duration: 80 } } },
  },
});
