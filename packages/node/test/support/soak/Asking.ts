import type { Instance } from "../Federating.ts"

/** A request, and what is true of a right answer. */
export interface Question {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  /** 200 unless told otherwise. */
  readonly status?: number
  /** Something that the answer holds. */
  readonly has?: string
}

/** Asks and gives the text of the answer; fails when the status is another one, or what it should hold is missing. */
export const ask = async (
  { node }: Instance,
  path: string,
  { form, has, headers = {}, json, method = "GET", status = 200 }: Question = {}
): Promise<string> => {
  const body = json === undefined ? form && new URLSearchParams(form) : JSON.stringify(json)
  const answer = await fetch(path.startsWith("http") ? path : `${node.url}${path}`, {
    method,
    redirect: "manual",
    headers: { ...headers, ...(json === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body })
  })
  const text = await answer.text()
  if (answer.status !== status)
    throw new Error(`${method} ${path}: ${answer.status}, not ${status}: ${text.slice(0, 300)}`)
  if (has !== undefined && !text.includes(has))
    throw new Error(`${method} ${path}: no ${JSON.stringify(has)} in ${text.length} bytes: ${text.slice(0, 300)}`)
  return text
}

/** As `ask`, with the rights of whoever `instance` stands for; gives what the JSON says. */
export const askJson = async <A>(instance: Instance, path: string, question: Question = {}): Promise<A> =>
  JSON.parse(await ask(instance, path, { ...question, headers: { ...instance.auth, ...question.headers } })) as A

/** A list as the API gives it. */
export interface Listed<A> {
  readonly total: number
  readonly data: ReadonlyArray<A>
}

/** Asks for a list; fails when it is none, or is shorter than `least`. */
export const askList = async <A>(instance: Instance, path: string, least = 0): Promise<Listed<A>> => {
  const list = await askJson<Listed<A>>(instance, path)
  if (!Array.isArray(list.data) || list.data.length < least || list.total < list.data.length)
    throw new Error(`GET ${path}: ${list.data?.length} of ${list.total} entries, at least ${least} expected`)
  return list
}

/** Takes one of a list after the other. */
export const inTurn = <A>(all: ReadonlyArray<A>): (() => A) => {
  let next = 0
  return () => all[next++ % all.length]!
}
