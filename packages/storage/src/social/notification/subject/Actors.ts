import type { ActorRow } from "../../../people/actor/ActorJson.ts"

/** The actors that notifications show, by id; `null` is nobody's. */
export interface Actors {
  readonly get: (actorId: number | null) => ActorRow | undefined
}
