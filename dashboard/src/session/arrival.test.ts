import { expect, it } from 'vitest';
import { splitArrival } from './arrival.ts';

const split = (path: string) => splitArrival(new URL(path, 'https://greenroom.test'));

it('takes the token and leaves the rest of the address', () => {
  expect(split('/login?a=1&token=secret#x')).toEqual({
    arrival: { token: 'secret' },
    cleaned: '/login?a=1#x',
  });
});

it('maps known errors, prefers a description and has words for unknown ones', () => {
  expect(split('/login?error=access_denied')).toEqual({
    arrival: { error: 'You denied the authorization request. Please try again.' },
    cleaned: '/login',
  });
  expect(split('/login?error=x&error_description=Because.').arrival).toEqual({ error: 'Because.' });
  expect(split('/login?error=constructor').arrival).toEqual({
    error: 'An unexpected error occurred during authentication. Please try again.',
  });
});

it('finds nothing in an ordinary address', () => {
  expect(split('/login').arrival).toBeNull();
});
