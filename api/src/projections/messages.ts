import type { Event } from '#events/envelope.ts';

/** What an event says, in a sentence for people. */
export function describeEvent(event: Event): string {
  switch (event.type) {
    case 'environment.created':
      return 'Environment created';
    case 'environment.updated':
      return 'Environment updated';
    case 'environment.status-changed':
      return event.data.message || `Environment is ${event.data.status}`;
    case 'environment.deleted':
      return 'Environment removed';
    case 'deployment.created':
      return `Deployment of ${event.data.commit.slice(0, 8)} created`;
    case 'deployment.status-changed':
      return event.data.failureReason || event.data.message || `Deployment is ${event.data.status}`;
    case 'deployment.step-changed': {
      const { phase, name, status, message } = event.data;
      return `${phase} ${name}: ${status}${message ? ` (${message})` : ''}`;
    }
  }
}
