import type { RecordedVersion } from "@kinora/media/live/JoinRecording"
import { initOf, segmentPlace } from "@kinora/media/live/SegmentNames"

interface Recorded {
  readonly number: number
  readonly path: string
}

/** Segments by version and run. */
type Recording = ReadonlyMap<number, ReadonlyMap<number, ReadonlyArray<Recorded>>>

/** Runs that lack a version are left out when they are at most this share of the recording; otherwise the version is. */
const smallShare = 0.1

/** The number of the run that made a segment: what follows the token in its name. */
export const runOf = (name: string, token: string): number => Number.parseInt(name.slice(token.length + 1), 10)

const sorted = (names: ReadonlyArray<string>, folder: string, token: string): Recording => {
  const versions = new Map<number, Map<number, Array<Recorded>>>()
  const known = new Set(names)
  for (const name of names) {
    const place = name.startsWith(`${token}-`) ? segmentPlace(name) : undefined
    const init = initOf(name)
    if (place === undefined || (init !== undefined && !known.has(init))) continue
    const runs = versions.get(place.resolution) ?? new Map<number, Array<Recorded>>()
    versions.set(place.resolution, runs)
    const run = runOf(name, token)
    const segments = runs.get(run) ?? []
    runs.set(run, segments)
    segments.push({ number: place.number, path: `${folder}/${name}` })
  }
  return versions
}

/** Runs and versions that go together, so that every version is whole. */
const whole = (versions: Recording) => {
  const all = [...versions.values()]
  const runs = [...new Set(all.flatMap((it) => [...it.keys()]))].toSorted((a, b) => a - b)
  const longest = (run: number) => Math.max(0, ...all.map((it) => it.get(run)?.length ?? 0))
  const sum = (some: ReadonlyArray<number>) => some.reduce((count, run) => count + longest(run), 0)
  const complete = runs.filter((run) => all.every((it) => it.has(run)))
  const missing = sum(runs) - sum(complete)
  // A run that broke off before every version had a segment.
  if (complete.length > 0 && missing <= sum(runs) * smallShare) return { runs: complete, versions }
  const most = Math.max(0, ...all.map((it) => it.size))
  return { runs, versions: new Map([...versions].filter(([, it]) => it.size === most)) }
}

/**
 * What was recorded, by version, highest first, each with the same runs. A run that others followed has as many segments in
 * each version with a picture: what it broke off in the middle would shift them against each other. Fragments without their
 * initialization section cannot be read, and are left out.
 */
export const recordedVersions = (
  names: ReadonlyArray<string>,
  folder: string,
  token: string
): ReadonlyArray<RecordedVersion> => {
  const { runs, versions } = whole(sorted(names, folder, token))
  const pictures = [...versions].flatMap(([resolution, it]) => (resolution > 0 ? [it] : []))
  const shortest = (run: number) =>
    run === runs.at(-1) ? Infinity : Math.min(...pictures.map((it) => it.get(run)?.length ?? 0))
  return [...versions]
    .toSorted(([a], [b]) => b - a)
    .map(([resolution, recorded]) => ({
      resolution,
      runs: runs.flatMap((run) => {
        const segments = (recorded.get(run) ?? []).toSorted((a, b) => a.number - b.number)
        const kept = segments.slice(0, shortest(run)).map(({ path }) => path)
        const [first] = kept
        if (first === undefined) return []
        const init = initOf(first)
        return [init === undefined ? kept : [init, ...kept]]
      })
    }))
}
