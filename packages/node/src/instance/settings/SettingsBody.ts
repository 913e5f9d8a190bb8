import type { InvalidParam } from "@kinora/domain/wire/ProblemDocument"
import { Equal, Result } from "effect"
import type { ConfigTree } from "../../platform/config/Keys.ts"
import { leafAt } from "../../platform/config/RuntimeConfig.ts"
import type { Written } from "../../platform/config/Source.ts"
import { missingFeatureOf } from "../../platform/config/WithoutReader.ts"
import { type CustomSetting, customSettings, wireValue } from "./CustomConfigKeys.ts"

/** Names of older clients for some members. */
const aliases: Readonly<Record<string, string>> = {
  "transcoding.webVideos": "transcoding.web_videos",
  "import.videoChannelSynchronization": "import.video_channel_synchronization",
  storyboards: "storyboard"
}

/** Characters of a setting: enough for a stylesheet, far less than a request may have. */
const longest = 200_000

interface Found {
  readonly value: unknown
  /** The path of a member that should be an object and is none. */
  readonly broken?: string
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const member = (group: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(group, name) ? group[name] : undefined

/** What a body says of a setting; undefined when it says nothing. */
const find = (body: Readonly<Record<string, unknown>>, name: string): Found => {
  let value: unknown = body
  let here = ""
  for (const part of name.split(".")) {
    if (!isObject(value)) return value === undefined ? { value: undefined } : { value: undefined, broken: here }
    here = here === "" ? part : `${here}.${part}`
    const alias = aliases[here]?.split(".").at(-1)
    value = member(value, part) ?? (alias === undefined ? member(value, part) : member(value, alias))
  }
  return { value }
}

const refusal = (name: string, msg: string): InvalidParam => ({
  type: "field",
  msg,
  param: name,
  path: name,
  location: "body"
})

/** What a body changes, or why each of its members is refused. */
export interface ReadSettings {
  /** Settings that the body changes, by path in the configuration, in the form of its file. */
  readonly values: ReadonlyMap<string, unknown>
  readonly problems: Readonly<Record<string, InvalidParam>>
}

/**
 * Reads the body of `PUT /config/custom`. Members that are missing stay as they are, unknown ones are ignored. A body that names no
 * setting at all is refused: whoever sent it means something else.
 *
 * @param live the configuration now
 * @param pinned where the environment sets a key
 */
export const readSettings = (
  body: Readonly<Record<string, unknown>>,
  live: ConfigTree,
  pinned: (path: string) => Written | undefined
): ReadSettings => {
  const values = new Map<string, unknown>()
  const problems: Record<string, InvalidParam> = {}
  let named = false

  /** Why a value is refused. A value that is as before is neither refused nor noted. */
  const note = ({ flat, name, path }: CustomSetting, value: unknown): string | undefined => {
    const { kind } = flat.key
    const tooLong = Array.isArray(value) ? value.length > longest : typeof value === "string" && value.length > longest
    if (tooLong) return `Must have at most ${longest} characters`
    const read = kind.read(value)
    if (Result.isFailure(read)) return `Must be ${kind.accepts}: ${read.failure}`
    if (Equal.equals(wireValue(path, read.success), wireValue(path, leafAt(live, path)))) return undefined
    const fixed = pinned(path)
    if (fixed !== undefined) return `Is set by the ${fixed.origin} and cannot be changed here`
    const missing = missingFeatureOf(path)
    if (missing !== undefined && (missing.switch ?? path) === path) {
      return `Cannot be changed: Kinora has no ${missing.feature} yet (${name})`
    }
    values.set(path, value)
    return undefined
  }

  for (const setting of customSettings) {
    const { broken, value } = find(body, setting.name)
    if (broken !== undefined) problems[broken] = refusal(broken, "Must be an object")
    if (value === undefined) continue
    named = true
    const problem = note(setting, value)
    if (problem !== undefined) problems[setting.name] = refusal(setting.name, problem)
  }
  if (!named && Object.keys(problems).length === 0) problems.body = refusal("body", "Must name a setting")
  return { values, problems }
}
