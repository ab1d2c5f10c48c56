import { Burger, Container, Drawer, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { NavButton } from '../../ui/links.tsx';
import { Logo } from '../../ui/logo.tsx';
import { AvatarMenu } from './avatar-menu.tsx';
import { RepositorySelector } from './repository-selector.tsx';
import classes from './shell.module.css';

export function Header() {
  const [open, drawer] = useDisclosure(false);
  return (
    <header className={classes.header}>
      <Container size="xl" className={classes.bar}>
        <Burger
          opened={open}
          onClick={drawer.toggle}
          hiddenFrom="sm"
          size="sm"
          color="var(--gr-text)"
          aria-label="Open navigation"
        />
        <Link to="/overview" className={classes.home} aria-label="Greenroom, to the overview">
          <Logo />
        </Link>
        <nav aria-label="Main" className={classes.nav}>
          <NavButton to="/overview">Environments</NavButton>
          <NavButton to="/repositories">Repositories</NavButton>
        </nav>
        <div className={classes.spacer} />
        <RepositorySelector visibleFrom="sm" />
        <AvatarMenu />
      </Container>
      <Drawer opened={open} onClose={drawer.close} title="Navigation" size="xs" hiddenFrom="sm">
        <Stack>
          <nav aria-label="Main">
            <Stack gap="xs">
              <NavButton to="/overview" onClick={drawer.close}>
                Environments
              </NavButton>
              <NavButton to="/repositories" onClick={drawer.close}>
                Repositories
              </NavButton>
            </Stack>
          </nav>
          <RepositorySelector onChosen={drawer.close} />
        </Stack>
      </Drawer>
    </header>
  );
}
