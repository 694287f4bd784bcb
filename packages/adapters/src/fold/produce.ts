import { Immer } from "immer";

const immer = new Immer({ autoFreeze: false });

/**
 * Immer without freezing. States share structure with knobs and envelopes, which belong to others
 * and must not be frozen by a fold; and freezing every state costs more than the fold itself.
 */
export const produce: Immer["produce"] = immer.produce;
