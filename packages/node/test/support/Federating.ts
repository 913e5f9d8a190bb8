import { plainClip } from "../video/upload/Clips.ts"
import { KinoraProcess, until } from "./KinoraProcess.ts"
import { type CreatedVideo, uploadMultipart } from "./Uploads.ts"

/** A node in a process of its own that federates with others of this machine, and its administrator's headers. */
export interface Instance {
  readonly node: KinoraProcess
  readonly auth: Record<string, string>
  /** `127.0.0.1:port`, as handles name it. */
  readonly host: string
}

/** Starts a node that reaches loopback alone and publishes uploads as they are. */
export const startInstance = async (env: Record<string, string> = {}): Promise<Instance> => {
  const node = await KinoraProcess.create({
    KINORA_FEDERATION_ONLY_LOOPBACK: "true",
    KINORA_TRANSCODING_ENABLED: "false",
    ...env
  })
  await node.start()
  return { node, auth: await node.login(), host: `127.0.0.1:${node.port}` }
}

/** Sends JSON and gives the answer's; anything but a 2xx status fails. */
export const send = async <A>({ auth, node }: Instance, method: string, path: string, body?: unknown): Promise<A> => {
  const answer = await fetch(`${node.url}${path}`, {
    method,
    headers: { ...auth, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return (text === "" ? undefined : JSON.parse(text)) as A
}

interface FollowList {
  readonly data: ReadonlyArray<{ readonly state: string; readonly following: { readonly host: string } }>
}

/** One instance follows another; resolves when it was accepted. */
export const follow = async (follower: Instance, target: Instance): Promise<void> => {
  await send(follower, "POST", "/api/v1/server/following", { hosts: [target.host], handles: [] })
  await until(`${follower.host} to follow ${target.host}`, 60, async () => {
    const { data } = await follower.node.json<FollowList>("/api/v1/server/following?count=100")
    return data.find((it) => it.following.host === target.host && it.state === "accepted")
  })
}

/** Uploads a short clip that is public once it stands. */
export const publish = async ({ auth, node }: Instance, fields: Record<string, string>): Promise<CreatedVideo> => {
  const answer = await uploadMultipart(node, auth, plainClip(), { privacy: "1", ...fields })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`upload: ${answer.status} ${text}`)
  return (JSON.parse(text) as { video: CreatedVideo }).video
}
