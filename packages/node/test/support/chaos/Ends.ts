import { statSync } from "node:fs"
import { join } from "node:path"
import { instanceFiles } from "../InstanceFiles.ts"
import { until } from "../KinoraProcess.ts"
import { untilReady, type VideoAnswer } from "../Uploads.ts"
import { encodersBelow } from "./Encoders.ts"
import { heights, type Stage } from "./Stage.ts"
import type { Scene } from "./Steps.ts"

/** Rows that belong to a video, by table: those of one that was disturbed are as many as of one that was not. */
export type Counts = Readonly<Record<string, number>>

/** Counts the rows of every table that names videos. */
export const countRows = async ({ stage, video }: Scene): Promise<Counts> => {
  const tables = await stage.rows.all(
    (sql) => sql<{ readonly name: string }>`
      select c.table_name as name from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and c.column_name = 'video_id' and t.table_type = 'BASE TABLE' order by 1`
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const rows = await stage.rows.all(
      (sql) => sql<{ readonly n: number }>`
        select count(*)::integer as n from ${sql.literal(`"${name}"`)} where video_id = ${video.id}`
    )
    counts[name] = rows[0]!.n
  }
  const files = await stage.rows.all(
    (sql) => sql<{ readonly n: number }>`
      select count(*)::integer as n from video_file f join streaming_playlist p on p.id = f.streaming_playlist_id
      where p.video_id = ${video.id}`
  )
  return { ...counts, "files of playlists": files[0]!.n }
}

/** Names of the files that the database knows, with their sizes where it knows those. */
const known = (stage: Stage) =>
  stage.rows.all(
    (sql) => sql<{ readonly name: string; readonly size: number | null }>`
      with v as (select id, uuid, case when privacy in (3, 4, 5) then 'private/' else '' end as place from video)
      select 'original-video-files/' || filename as name, null::float8 as size from video_source where filename is not null
      union all select 'thumbnails/' || filename, null from thumbnail
      union all select 'storyboards/' || filename, null from storyboard
      union all select 'avatars/' || filename, null from actor_image where remote_url is null
      union all select 'torrents/' || torrent_filename, null from video_file where torrent_filename is not null
      union all select 'web-videos/' || v.place || f.filename, f.size::float8 from video_file f join v on v.id = f.video_id
      union all select 'streaming-playlists/hls/' || v.place || v.uuid || '/' || n.name, n.size::float8
        from streaming_playlist p join v on v.id = p.video_id
        left join video_file f on f.streaming_playlist_id = p.id
        cross join lateral (values (f.filename, f.size), (f.playlist_filename, null)) n (name, size)
        where n.name is not null
      union all select 'streaming-playlists/hls/' || v.place || v.uuid || '/' || n.name, null
        from streaming_playlist p join v on v.id = p.video_id
        cross join lateral (values (p.playlist_filename), (p.segments_sha256_filename)) n (name) where n.name is not null`
  )

/** What differs between the disk and the database. */
const disagreements = async (stage: Stage): Promise<ReadonlyArray<string>> => {
  const rows = await known(stage)
  const there = instanceFiles(stage.node.dataDir).filter((name) => name !== "secret.key")
  const names = rows.map(({ name }) => name)
  return [
    ...there.filter((name) => !names.includes(name)).map((name) => `orphan file: ${name}`),
    ...names.filter((name) => !there.includes(name)).map((name) => `missing file: ${name}`),
    ...names.filter((name, i) => names.indexOf(name) !== i).map((name) => `two rows for the file ${name}`),
    ...rows
      .filter(({ name, size }) => size !== null && there.includes(name))
      .filter(({ name, size }) => statSync(join(stage.node.dataDir, name)).size !== size)
      .map(({ name }) => `the size of ${name} is not the row's`)
  ]
}

/** Encoders that work on files of this stage. */
const encoders = (stage: Stage): ReadonlyArray<string> =>
  [stage.node.dataDir, ...stage.runners.map(({ process }) => process.folder)]
    .flatMap((folder) => encodersBelow(folder))
    .map((pid) => `an encoder goes on: process ${pid}`)

const repeated = (numbers: ReadonlyArray<number>) => numbers.toSorted((a, b) => a - b).join()

const wrongRenditions = (video: VideoAnswer): ReadonlyArray<string> => {
  const wanted = repeated(heights)
  const kinds = [
    ["HLS", video.streamingPlaylists.flatMap(({ files }) => files)],
    ["web videos", video.files]
  ] as const
  return [
    ...(video.streamingPlaylists.length === 1 ? [] : [`${video.streamingPlaylists.length} playlists`]),
    ...kinds.flatMap(([kind, files]) => {
      const made = repeated(files.map(({ resolution }) => resolution.id))
      return made === wanted ? [] : [`${kind}: ${made} in place of ${wanted}`]
    })
  ]
}

/** Jobs, leases and events that are left. */
const unfinished = async ({ stage, video }: Scene): Promise<ReadonlyArray<string>> => {
  const rows = await stage.rows.all(
    (sql) => sql<{ readonly what: string }>`
      select format('job %s (%s) is %s', id, type, state) as what from job
        where video_id = ${video.id} and (state <> 'completed' or lease_until is not null)
      union all select format('runner job %s (%s) is in state %s: %s', uuid, type, state, coalesce(error, ''))
        from runner_job where video_id = ${video.id} and (state <> 3 or lease_until is not null)
      union all select format('event %s is not handled', tag) from notification_event
        where subject = ${video.id} and tag like 'Video%'
      union all select format('a transaction is left open: %s', query) from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'
          and state_change < now() - interval '3 seconds'`
  )
  const busy = await Promise.all(stage.runners.map(({ process }) => process.jobs()))
  return [
    ...rows.map(({ what }) => what),
    ...busy.flatMap((jobs, i) => (jobs?.length === 0 ? [] : [`runner ${i + 1} has ${jobs?.length ?? "no answer"}`])),
    ...stage.runners.flatMap(({ process }) =>
      process.work().map((name) => `orphan folder of ${process.name}: ${name}`)
    ),
    ...encoders(stage)
  ]
}

/** Asks until nothing is wrong; gives what still is after so many seconds. */
const settled = async (seconds: number, ask: () => Promise<ReadonlyArray<string>>): Promise<ReadonlyArray<string>> => {
  let wrong: ReadonlyArray<string> = []
  await until("", seconds, async () => ((wrong = await ask()).length === 0 ? true : undefined)).catch(() => undefined)
  return wrong
}

/** How a video ended. */
export interface End {
  /** All that is wrong. */
  readonly faults: ReadonlyArray<string>
  readonly counts: Counts
}

/** Waits until the video has its whole ladder; its rows are as many as usual, where that is known. */
export const endOf = async (scene: Scene, usual: Counts | undefined): Promise<End> => {
  const { stage } = scene
  const video = await untilReady(stage.node, scene.video.uuid, heights.length, 150)
  const open = await settled(60, () => unfinished(scene))
  const counts = await countRows(scene)
  const playlist = await fetch(new URL(new URL(video.streamingPlaylists[0]!.playlistUrl).pathname, stage.node.url))
  const faults = [
    ...open,
    ...wrongRenditions(video),
    ...(playlist.status === 200 && (await playlist.text()).startsWith("#EXTM3U") ? [] : ["the playlist is not served"]),
    ...Object.keys({ ...usual, ...counts }).flatMap((table) =>
      usual === undefined || usual[table] === counts[table]
        ? []
        : [`${counts[table]} rows of ${table} in place of ${usual[table]}`]
    )
  ]
  return { faults, counts }
}

/** What is on the disk and should not be, or is not and should; what is to be removed some time is removed now. */
const leftNow = async (stage: Stage, seconds: number): Promise<ReadonlyArray<string>> => {
  await stage.rows.all((sql) => sql`update object_removal set not_before = now()`)
  return await settled(seconds, async () => {
    const [queue] = await stage.rows.all(
      (sql) => sql<{ readonly n: number }>`select count(*)::integer as n from object_removal`
    )
    const waiting = queue!.n === 0 ? [] : [`${queue!.n} objects wait for their removal`]
    return [...waiting, ...(await disagreements(stage))]
  })
}

/** Has a program begin two days later than it is: files cannot be made older than they are. */
const daysLater = `const now = Date.now; Date.now = () => now() + ${2 * 86_400_000}`

/**
 * What is left on the disk. Results whose sender died go some time after: where there are any, the instance lives a life
 * two days later, and then goes on, unless it is needed no more.
 */
export const leftovers = async (stage: Stage, goesOn = true): Promise<ReadonlyArray<string>> => {
  if ((await leftNow(stage, 10)).length === 0) return []
  await stage.node.stop()
  await stage.node.start({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(daysLater)}` })
  const faults = await leftNow(stage, 20)
  if (goesOn) {
    await stage.node.stop()
    await stage.node.start()
  }
  return faults
}
