import { constraints } from "../enums/Constraints.ts"
import { field } from "../fields/Field.ts"
import { toText } from "../fields/Values.ts"

/** How a client names an account or a channel: `name`, or `name@host` for one of another instance. */
export interface ActorHandle {
  readonly name: string
  /** Host in lower case as written after the `@`; null when there is none. */
  readonly host: string | null
}

const pattern = /^@?([A-Za-z0-9\-_.:]+)(?:@([A-Za-z0-9.-]+(?::\d{1,5})?))?$/

/** Reads a handle; a leading `@` is allowed. Undefined when it is none. */
export const parseActorHandle = (text: string): ActorHandle | undefined => {
  if (text.length > constraints.actor.handle.max) return undefined
  const match = pattern.exec(text)
  return match === null ? undefined : { name: match[1]!, host: match[2]?.toLowerCase() ?? null }
}

/** The handle as it is written: `name`, or `name@host`. */
export const writtenHandle = ({ host, name }: ActorHandle): string => (host === null ? name : `${name}@${host}`)

const handleField = (message: string) =>
  field<ActorHandle>({
    message,
    documented: { type: "string", description: "`name`, or `name@host` for one of another instance" },
    parse: (input) => {
      const text = toText(input)
      return text === undefined ? undefined : parseActorHandle(text)
    }
  })

/** Path parameter naming an account. */
export const AccountHandle = handleField("Must be the name of an account, or name@host")

/** Path parameter naming a channel. */
export const ChannelHandle = handleField("Must be the name of a channel, or name@host")

/** Path parameter naming an actor of either kind. */
export const ActorHandle = handleField("Must be the name of an account or channel, or name@host")
