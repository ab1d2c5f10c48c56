import type { Deployment } from '#crds/kinds.ts';
import type { KubeClient } from '../kube/client.ts';
import { readToken } from '../source/token.ts';
import { makePlan, type Plan, type PlanSettings } from './plan.ts';

const MOST_PLANS = 200;

/** The plans of deployments in flight. A plan follows from a commit, so it is made once, and again after a restart. */
export class Plans {
  readonly #client: KubeClient;
  readonly #plans = new Map<string, Plan>();

  constructor(client: KubeClient) {
    this.#client = client;
  }

  async get(deployment: Deployment, settings: PlanSettings): Promise<Plan> {
    const { uid } = deployment.metadata;
    const known = this.#plans.get(uid);
    if (known) return known;
    const token = await this.token(deployment);
    const plan = await makePlan(
      deployment.spec,
      { url: deployment.spec.source.url, ...(token && { token }) },
      settings,
    );
    const [oldest] = this.#plans.keys();
    if (this.#plans.size >= MOST_PLANS && oldest) this.#plans.delete(oldest);
    this.#plans.set(uid, plan);
    return plan;
  }

  token({ metadata, spec }: Deployment): Promise<string | undefined> {
    return readToken(this.#client, metadata.namespace, spec.source.secretRef?.name);
  }

  forget({ metadata }: Deployment): void {
    this.#plans.delete(metadata.uid);
  }
}
