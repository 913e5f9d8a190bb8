import { login } from "../lib/Instance.ts"
import type { Names } from "./Mix.ts"
import { Random } from "./Random.ts"
import type { Size } from "./Size.ts"
import { Words } from "./Words.ts"

/** What a running instance over a data set has that queries name. */
export const namesOf = async (url: string, size: Size): Promise<Names> => {
  const token = await login(url)
  const read = async <A>(path: string): Promise<ReadonlyArray<A>> =>
    ((await (await fetch(url + path)).json()) as { data: ReadonlyArray<A> }).data
  const handles = (rows: ReadonlyArray<{ name: string; host: string }>) =>
    rows.map(({ host, name }) => `${name}@${host}`)
  return {
    token,
    channels: handles(await read("/api/v1/video-channels?count=60")),
    accounts: handles(await read("/api/v1/accounts?count=60")),
    videos: (
      await Promise.all(
        [0, 2_000, 20_000, 200_000].map((from) =>
          read<{ uuid: string }>(`/api/v1/videos?count=50&sort=-createdAt&start=${from}`)
        )
      )
    ).flatMap((page) => page.map(({ uuid }) => uuid)),
    tags: new Words(new Random(20_261_121)).tags(size.tags)
  }
}
