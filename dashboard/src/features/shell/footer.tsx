import classes from './shell.module.css';

export function Footer() {
  return <footer className={classes.footer}>© {new Date().getFullYear()} Greenroom. Apache-2.0.</footer>;
}
