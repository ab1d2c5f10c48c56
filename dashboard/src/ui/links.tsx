import { Anchor, type AnchorProps, Button, type ButtonProps, Menu, type MenuItemProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

type NativeAnchor<P> = P & Omit<ComponentProps<'a'>, keyof P>;

/** A link within the dashboard. */
export const TextLink = createLink((props: NativeAnchor<AnchorProps>) => <Anchor {...props} />);

/** A link within the dashboard that looks like a button. */
export const ButtonLink = createLink((props: NativeAnchor<ButtonProps>) => (
  <Button component="a" {...props} />
));

/** A link of the navigation; the router marks the current one with `aria-current` and `data-status`. */
export const NavButton = createLink((props: NativeAnchor<ButtonProps>) => (
  <Button component="a" variant="subtle" justify="flex-start" {...props} />
));

/** An entry of a menu that leads to another page of the dashboard. */
export const MenuLink = createLink((props: NativeAnchor<MenuItemProps>) => (
  <Menu.Item component="a" {...props} />
));
