import { until } from "../../KinoraProcess.ts"
import type { ClusterStage } from "./ClusterStage.ts"
import { wrongFilesOf } from "./Files.ts"
import type { Load } from "./Load.ts"
import { misplaced } from "./Members.ts"
import type { Uploaded } from "./Uploader.ts"
import type { Setting, Writer } from "./Writer.ts"

/** What was found after a disturbance; everything is wrong but `unused`. */
export interface Found {
  /** Acknowledged writes that are not there. */
  lost: Array<string>
  /** Files that are missing, or are not what they should be. */
  files: Array<string>
  /** What is there more than once, here or at the peer. */
  twice: Array<string>
  /** Everything else. */
  other: Array<string>
  /** Files that no row names: what a killed node left, which the sweep removes later. */
  unused: number
}

type Faults = ReadonlyArray<string>

/** Asks until nothing is wrong; gives what still is after so many seconds. */
const settled = async (seconds: number, ask: () => Promise<Faults>): Promise<Faults> => {
  let wrong: Faults = []
  await until("", seconds, async () => ((wrong = await ask()).length === 0 ? true : undefined)).catch(() => undefined)
  return wrong
}

const uuidIn = /[0-9a-f]{8}-[0-9a-f-]{27}/

/** How many of each comment a database has. */
const commentsOf = async (rows: ClusterStage["parts"]["rows"]): Promise<ReadonlyMap<string, number>> => {
  const found = await rows.all<{ text: string }>((sql) => sql`select text from video_comment`)
  const counts = new Map<string, number>()
  for (const { text } of found) {
    const id = uuidIn.exec(text)?.[0] ?? text
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}

const commentsAt = async (where: string, rows: ClusterStage["parts"]["rows"], writers: ReadonlyArray<Writer>) => {
  const counts = await commentsOf(rows)
  const all = writers.flatMap(({ comments }) => comments)
  const of = (text: string) => counts.get(uuidIn.exec(text)![0]) ?? 0
  return {
    lost: all.filter((one) => one.isAcknowledged && of(one.text) === 0).map(({ text }) => `${where} lacks "${text}"`),
    twice: all.filter(({ text }) => of(text) > 1).map(({ text }) => `${where} has "${text}" ${of(text)} times`)
  }
}

/** Jobs and jobs of runners that have not ended, or ended badly. */
const unfinished = async ({ parts: { rows } }: ClusterStage): Promise<Faults> => {
  const found = await rows.all<{ what: string }>(
    (sql) => sql`
      select format('job %s (%s) is %s: %s', id, type, state, coalesce(error, '')) as what from job
        where state not in ('completed', 'cancelled') and (state <> 'delayed' or run_at < now() + interval '1 hour')
      union all select format('runner job %s (%s) is in state %s: %s', uuid, type, state, coalesce(error, ''))
        from runner_job where state not in (3, 6)
      union all select format('upload %s is %s with %s of %s bytes', id, state, received, size) from upload_session
        where state <> 'done' or held_until > now()
      union all select format('video %s is in state %s', name, state) from video where not remote and state <> 1
      union all select format('a transaction is left open: %s', query) from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'
          and state_change < now() - interval '3 seconds'`
  )
  return found.map(({ what }) => what)
}

/** Ratings and the title, as the database of the instance has them. */
const settingsOf = async (stage: ClusterStage, load: Load): Promise<Faults> => {
  const { rows } = stage.parts
  const wrong: Array<string> = []
  const compare = (what: string, setting: Setting, value: string) => {
    if (!setting.allows(value)) wrong.push(`${what} is ${value} in place of ${setting.wanted}`)
  }
  const rated = await rows.all<{ name: string; type: string }>(
    (
      sql
    ) => sql`select a.preferred_username::text as name, r.type from account_video_rate r join account c on c.id = r.account_id
      join actor a on a.id = c.actor_id where r.video_id = ${load.video.id}`
  )
  const ratingOf = (name: string) => rated.find((one) => one.name === name)?.type ?? "none"
  for (const [who, name] of ["ada", "bob", "cleo", "dan"].entries()) {
    compare(`the rating of ${name}`, load.writer.ratings[who]!, ratingOf(name))
  }
  for (const [who, name] of ["eve", "fay"].entries()) {
    compare(`the rating of ${name}`, load.afar.ratings[who]!, ratingOf(name))
  }
  const [video] = await rows.all<{ name: string }>((sql) => sql`select name from video where id = ${load.video.id}`)
  compare("the title", load.writer.title, video!.name)
  return wrong
}

/** What the peer shows of the video that is written about, and of those that were uploaded. */
const peerOf = async (stage: ClusterStage, load: Load): Promise<Faults> => {
  const { peerRows, rows } = stage.parts
  const of = async (where: typeof rows) =>
    (
      await where.all<{ name: string; likes: number; dislikes: number }>(
        (sql) => sql`select name, likes, dislikes from video where uuid = ${load.video.uuid}`
      )
    )[0]
  const [here, there] = [await of(rows), await of(peerRows)]
  const known = new Set(
    (await peerRows.all<{ uuid: string }>((sql) => sql`select uuid::text as uuid from video`)).map(({ uuid }) => uuid)
  )
  return [
    ...(JSON.stringify(here) === JSON.stringify(there)
      ? []
      : [`the peer shows ${JSON.stringify(there)} in place of ${JSON.stringify(here)}`]),
    ...load.uploader.done.filter(({ video }) => !known.has(video.uuid)).map(({ name }) => `the peer lacks ${name}`)
  ]
}

const refused = async (where: string, rows: ClusterStage["parts"]["rows"]): Promise<Faults> =>
  (
    await rows.all<{ what: string }>(
      (sql) => sql`select format('%s of %s: %s', type, host, error) as what from inbox_activity where state = 'refused'`
    )
  ).map(({ what }) => `${where} refused ${what}`)

/** Compares files and rows as an operator does, when nothing is under way any more. */
const storageChecked = async (stage: ClusterStage): Promise<{ readonly missing: Faults; readonly unused: number }> => {
  const { rows } = stage.parts
  await rows.all((sql) => sql`update object_removal set not_before = now()`)
  const removed = await settled(60, async () => {
    const [left] = await rows.all<{ n: number }>((sql) => sql`select count(*)::int as n from object_removal`)
    return left!.n === 0 ? [] : [`${left!.n} objects wait for their removal`]
  })
  const { code, err, out } = await stage.alive.process.command(["storage", "check", "--older-than", "0"])
  const lines = out.split("\n")
  const missing = lines.filter((line) => line.startsWith("missing:"))
  const failed = code === 0 || missing.length > 0 ? [] : [`storage check ends with ${code}: ${err.slice(-300)}`]
  return {
    missing: [...removed, ...missing, ...failed],
    unused: lines.filter((line) => line.startsWith("unused:")).length
  }
}

/** Waits, in bounds, until everything is as it should be, and gives what is not. `since`: uploads that were looked at before. */
export const examine = async (stage: ClusterStage, load: Load, since: ReadonlyArray<Uploaded>): Promise<Found> => {
  const { peerRows, rows } = stage.parts
  const writers = [load.writer, load.afar]
  const other = [...(await settled(60, () => misplaced(stage))), ...(await settled(180, () => unfinished(stage)))]
  const fresh = load.uploader.done.filter((one) => !since.includes(one))
  const files: Array<string> = []
  for (const one of fresh) files.push(...(await wrongFilesOf(stage, load.clip, one)))
  let twice: Faults = []
  const lost = await settled(90, async () => {
    const here = await commentsAt("the instance", rows, writers)
    const there = await commentsAt("the peer", peerRows, writers)
    twice = [...here.twice, ...there.twice]
    return [...here.lost, ...there.lost, ...(await settingsOf(stage, load)), ...(await peerOf(stage, load))]
  })
  const { missing, unused } = await storageChecked(stage)
  return {
    lost: [...lost],
    files: [...files, ...missing],
    twice: [...twice],
    other: [
      ...other,
      ...load.uploader.faults.splice(0),
      ...(await refused("the instance", rows)),
      ...(await refused("the peer", peerRows))
    ],
    unused
  }
}
