import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './theme/styles.css';
import { createQueryClient } from './api/query-client.ts';
import { App } from './app.tsx';
import { createAppRouter } from './router.tsx';
import { takeArrival } from './session/arrival.ts';
import { rememberReturn } from './session/return-to.ts';
import { onSessionEnd, startSession } from './session/session.ts';
import { notify } from './ui/notify.ts';

// Before the router exists or anything renders, so that nothing else ever sees a token in the address.
const arrival = takeArrival();
if (arrival && 'token' in arrival) {
  startSession(arrival.token);
  notify('Successfully authenticated with GitHub!');
}

const queryClient = createQueryClient();
const router = createAppRouter({ queryClient, arrival });

onSessionEnd(end => {
  if (end === 'expired') rememberReturn(router.state.location.href);
  queryClient.clear();
  notify(end === 'expired' ? 'Your session has expired. Please log in again.' : 'Successfully logged out.');
  void router.navigate({ to: '/login', replace: true });
});

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App queryClient={queryClient} router={router} />
  </StrictMode>,
);
