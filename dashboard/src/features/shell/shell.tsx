import { Container } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { useLive } from '../../api/live/use-live.ts';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { LostStream } from './lost-stream.tsx';
import classes from './shell.module.css';

/** The frame of every page behind sign-in, and the one live stream that feeds them. */
export function Shell() {
  const lost = useLive();
  return (
    <>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <Header />
      <Container
        component="main"
        id="content"
        tabIndex={-1}
        size="xl"
        w="100%"
        py="lg"
        className={classes.main}
      >
        <Outlet />
      </Container>
      <Footer />
      <LostStream lost={lost} />
    </>
  );
}
