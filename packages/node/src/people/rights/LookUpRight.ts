import { Option } from "effect"

/** Who may look up things elsewhere (`search.remote_uri`). */
export interface RemoteUri {
  readonly users: boolean
  readonly anonymous: boolean
}

/** Whether the reader is shown what this instance does not follow: only those are who could look it up themselves. */
export const mayLookUp = ({ anonymous, users }: RemoteUri, user: Option.Option<unknown>): boolean =>
  anonymous || (users && Option.isSome(user))
