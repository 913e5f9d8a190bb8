/** The form of signatures a host takes (`@kinora/federation` signs in either). */
export type DeliveryForm = "cavage" | "rfc9421"

/** What is remembered of a host that activities are delivered to. */
export interface DeliveryHost {
  readonly host: string
  /** Null: not known yet. */
  readonly form: DeliveryForm | null
  /** Failures in a row. */
  readonly failures: number
  /** Milliseconds since 1970, as all times here; null: it does not fail. */
  readonly failingSince: number | null
  /** Nothing is sent before that, but follows and their answers. */
  readonly restUntil: number | null
  readonly lastSuccessAt: number | null
}

/** A host nobody has heard of. */
export const unknownHost = (host: string): DeliveryHost => ({
  host,
  form: null,
  failures: 0,
  failingSince: null,
  restUntil: null,
  lastSuccessAt: null
})
