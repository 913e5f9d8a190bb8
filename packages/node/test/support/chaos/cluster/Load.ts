import { send, type Instance } from "../../Federating.ts"
import { channelOf, type CreatedVideo, untilReady, uploadMultipart } from "../../Uploads.ts"
import { until } from "../../KinoraProcess.ts"
import type { ClusterStage } from "./ClusterStage.ts"
import { heights } from "./Settings.ts"
import { Uploader } from "./Uploader.ts"
import { Viewers } from "./Viewers.ts"
import { type Person, Writer } from "./Writer.ts"

/** Videos that are made at the same time: the machine is small. */
const atOnce = 2

const viewersRate = 15
const writesEvery = 600

/** People with sessions of their own; they ask by way of `url`. */
const peopleOf = async (at: Instance, url: string, names: ReadonlyArray<string>): Promise<ReadonlyArray<Person>> => {
  const people: Array<Person> = []
  for (const username of names) {
    const password = `the password of ${username}`
    await send(at, "POST", "/api/v1/users", {
      ...{ username, password, email: `${username}@example.com`, role: 2, videoQuota: -1, videoQuotaDaily: -1 }
    })
    people.push({ url, auth: await at.node.login(username, password) })
  }
  return people
}

/** What goes on all the time: viewers, an uploader, and writers at the cluster and at its peer. */
export class Load {
  readonly clip: string
  readonly video: CreatedVideo
  readonly viewers: Viewers
  readonly uploader: Uploader
  readonly writer: Writer
  /** Writes at the peer, about the cluster's video. */
  readonly afar: Writer

  private constructor(
    clip: string,
    video: CreatedVideo,
    viewers: Viewers,
    uploader: Uploader,
    writer: Writer,
    afar: Writer
  ) {
    this.clip = clip
    this.video = video
    this.viewers = viewers
    this.uploader = uploader
    this.writer = writer
    this.afar = afar
  }

  static async create(stage: ClusterStage, clip: string): Promise<Load> {
    const { auth, nodes, peer, rows } = stage.parts
    const first = nodes[0]!.process
    const here: Instance = { node: first, auth, host: "" }
    const answer = await uploadMultipart(first, auth, clip, { name: "Watched", privacy: "1", waitTranscoding: "true" })
    if (answer.status !== 200) throw new Error(`upload: ${answer.status} ${await answer.text()}`)
    const { video } = (await answer.json()) as { video: CreatedVideo }
    const ready = await untilReady(first, video.uuid, heights.length)
    await until("the peer to have the video", 60, async () =>
      (await peer.node.get(`/api/v1/videos/${video.uuid}`)).status === 200 ? true : undefined
    )
    const uploader = new Uploader({
      ...{ url: stage.url, auth, clip },
      channelId: await channelOf(first, auth),
      isBusy: async () => {
        const found = await rows.ask<{ n: number }>(
          (sql) => sql`select count(*)::int as n from video where not remote and state <> 1`
        )
        return (found?.[0]?.n ?? 0) >= atOnce
      }
    })
    const people = await peopleOf(here, stage.url, ["ada", "bob", "cleo", "dan"])
    const others = await peopleOf(peer, peer.node.url, ["eve", "fay"])
    const owner = { url: stage.url, auth }
    return new Load(
      clip,
      video,
      await Viewers.of(stage.url, ready),
      uploader,
      new Writer({ people, owner, video: video.uuid, mark: "here" }),
      new Writer({ people: others, video: video.uuid, mark: "afar" })
    )
  }

  /** Viewers never end before the stage does. */
  watch(): void {
    this.viewers.start(viewersRate)
  }

  start(): void {
    this.uploader.start()
    this.writer.start(writesEvery)
    this.afar.start(2 * writesEvery)
  }

  /** Everybody but viewers comes to an end. */
  async pause(): Promise<void> {
    await Promise.all([this.writer.stop(), this.afar.stop(), this.uploader.stop()])
  }

  async stop(): Promise<void> {
    this.viewers.stop()
    await this.pause()
  }
}
