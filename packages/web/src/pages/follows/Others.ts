import { parseHost } from "@kinora/domain/ids/HostName"

/** Entries one request may have, of each kind. */
export const mostOthers = 100

/** What a list of others to follow says, one on a line, and the lines that are neither host nor handle. */
export interface Others {
  readonly hosts: ReadonlyArray<string>
  readonly handles: ReadonlyArray<string>
  readonly wrong: ReadonlyArray<string>
}

/** Reads `name@host`, also with an `@` before it, as handles are often copied. */
const parseHandle = (text: string): string | undefined => {
  const [, name, at = ""] = /^@?([\w.:-]+)@(.+)$/.exec(text) ?? []
  const host = parseHost(at)
  return name === undefined || host === undefined ? undefined : `${name.toLowerCase()}@${host}`
}

/** Reads hosts and handles, each named once, as they are typed or copied from elsewhere. */
export const othersOf = (typed: string): Others => {
  const hosts = new Set<string>()
  const handles = new Set<string>()
  const wrong: Array<string> = []
  for (const line of typed.split(/[\s,;]+/)) {
    if (line === "") continue
    const host = parseHost(line)
    const handle = host === undefined ? parseHandle(line) : undefined
    if (host !== undefined) hosts.add(host)
    else if (handle !== undefined) handles.add(handle)
    else wrong.push(line)
  }
  return { hosts: [...hosts], handles: [...handles], wrong }
}
