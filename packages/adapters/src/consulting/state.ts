/** How far a question and its answer have come. */
export interface ConsultingState {
  /** The question has been asked. */
  readonly initiator_sent: boolean;
  /** The answer has been given. */
  readonly respondent_replied: boolean;
  readonly last_envelope_id: string | null;
}

/** Before the question. */
export function initialConsultingState(): ConsultingState {
  return { initiator_sent: false, respondent_replied: false, last_envelope_id: null };
}
