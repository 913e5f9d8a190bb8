import type { Chapter } from "@kinora/domain/requests/ChapterRequests"
import type { StoredMark } from "@kinora/storage/live/LiveMarks"

/** A run of the encoder in a recording, in the order of the recording. */
export interface RecordedRun {
  readonly number: number
  readonly seconds: number
}

/**
 * Chapters at the moments that were marked, in whole seconds of the recording. What was marked while nobody published is
 * at the end of the run before; what was marked in a run that is not in the recording, where the next one begins. Each
 * has a second of its own, and none is after the end.
 *
 * @param marks in the order of the recording
 */
export const markedChapters = (
  marks: ReadonlyArray<StoredMark>,
  runs: ReadonlyArray<RecordedRun>
): ReadonlyArray<Chapter> => {
  const end = runs.reduce((sum, { seconds }) => sum + seconds, 0)
  const secondOf = ({ offset, run }: StoredMark): number => {
    let from = 0
    for (const { number, seconds } of runs) {
      if (number === run) return from + Math.min(offset / 1000, seconds)
      if (number > run) break
      from += seconds
    }
    return from
  }
  const chapters: Array<Chapter> = []
  for (const mark of marks) {
    const timecode = Math.max(Math.floor(secondOf(mark)), (chapters.at(-1)?.timecode ?? -1) + 1)
    if (timecode < end) chapters.push({ timecode, title: mark.title })
  }
  return chapters
}
