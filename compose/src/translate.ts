import type { ComposeProject } from './project.ts';
import type { Build, Translation, TranslationSettings } from './translation.ts';

/** The images that must be built, before their names are known. */
export function listBuilds(_project: ComposeProject): Build[] {
  throw new Error('to follow');
}

/** What a compose project means on Kubernetes. Pure: the same input gives the same, byte for byte. */
export function translate(_project: ComposeProject, _settings: TranslationSettings): Translation {
  throw new Error('to follow');
}
