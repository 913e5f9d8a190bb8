import { Effect } from "effect"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { ask, RunningNode, runningNodeWith } from "../RunningNode.ts"
import type { Act, Acts, Values } from "./Act.ts"
import { ofInstance } from "./OfInstance.ts"
import { ofLists } from "./OfLists.ts"
import { ofPeople } from "./OfPeople.ts"
import { ofVideos } from "./OfVideos.ts"

/** Every act that somebody may do by a right, by the id of its operation: about things of the user. */
export const acts: Acts = { ...ofPeople, ...ofVideos, ...ofInstance, ...ofLists }

/** A yt-dlp that is there. */
const tools = mkdtempSync(join(tmpdir(), "kinora-audit-"))
const ytDlp = join(tools, "yt-dlp")
writeFileSync(ytDlp, "#!/bin/sh\necho 2024.12.23\n")
chmodSync(ytDlp, 0o755)
afterAll(() => rmSync(tools, { recursive: true, force: true }))

/** A node that does every act: nothing that acts need is switched off. */
export const actingNode = runningNodeWith({
  // Mails are taken. Nobody listens there, and jobs are paused.
  KINORA_SMTP_HOSTNAME: "127.0.0.1",
  KINORA_SMTP_PORT: "9",
  // Each act has things of its own.
  KINORA_VIDEO_CHANNELS_MAX_PER_USER: "10000",
  KINORA_EXPORT_USERS_ENABLED: "true",
  KINORA_IMPORT_USERS_ENABLED: "true",
  KINORA_IMPORT_VIDEOS_HTTP_ENABLED: "true",
  KINORA_IMPORT_VIDEO_CHANNEL_SYNCHRONIZATION_ENABLED: "true",
  KINORA_TRANSCODING_REMOTE_RUNNERS_ENABLED: "true",
  KINORA_VIDEO_FILE_UPDATE_ENABLED: "true",
  KINORA_YTDLP_PATH: ytDlp
})

/** Does an act as whoever these headers belong to. */
export const perform = Effect.fnUntraced(function* (
  method: string,
  path: string,
  { body, send }: Act,
  values: Values,
  headers: Readonly<Record<string, string>>
) {
  const { process } = yield* RunningNode
  if (send !== undefined) return yield* Effect.promise(() => send(process.url + path, headers, values))
  const json = typeof body === "function" ? (body as (values: Values) => unknown)(values) : body
  return json === undefined
    ? yield* ask(method, path, headers)
    : yield* ask(method, path, { ...headers, "content-type": "application/json" }, JSON.stringify(json))
})
