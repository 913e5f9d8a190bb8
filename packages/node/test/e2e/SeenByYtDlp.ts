import { execFile, spawnSync } from "node:child_process"
import { createServer, type Server } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { TLSSocket } from "node:tls"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { testCertificate, testKey } from "../platform/mail/TestCertificate.ts"
import { type Instance, publish, startInstance } from "../support/Federating.ts"
import { send } from "../support/Federating.ts"
import type { CreatedVideo } from "../support/Uploads.ts"

const program = "/usr/bin/yt-dlp"
const isInstalled = spawnSync(program, ["--version"]).status === 0

/** A name that yt-dlp knows, and one that it does not. Every connection to either ends at the proxy of this test. */
export const known = "peertube.debian.social"
export const unknown = "videos.example"

interface Found {
  readonly title: string
  readonly extractor: string
  readonly formats?: ReadonlyArray<{ readonly url: string; readonly height?: number }>
  readonly subtitles?: Readonly<Record<string, ReadonlyArray<{ readonly url: string }>>>
  readonly entries?: ReadonlyArray<{ readonly title: string; readonly url: string }>
  readonly uploader?: string
  readonly channel?: string
  readonly duration?: number
}

/** An HTTP proxy behind which a node is every host, with https. */
const startProxy = async (port: number): Promise<Server> => {
  const server = createServer()
  server.on("connect", (_request, socket) => {
    socket.on("error", () => socket.destroy())
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
    const secure = new TLSSocket(socket, { isServer: true, cert: testCertificate, key: testKey })
    const node = connect(port, "127.0.0.1")
    for (const [from, to] of [
      [secure, node],
      [node, secure]
    ] as const) {
      from.on("error", () => to.destroy())
      from.pipe(to)
    }
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  return server
}

/** A node that is reached through https under a name, and what yt-dlp finds of it. */
export const seenByYtDlp = (host: string) =>
  describe.skipIf(!isInstalled)(`yt-dlp, of ${host}`, () => {
    let instance: Instance
    let proxy: Server
    let video: CreatedVideo
    let playlist: string

    beforeAll(async () => {
      instance = await startInstance({
        KINORA_WEBSERVER_HTTPS: "true",
        KINORA_WEBSERVER_HOSTNAME: host,
        KINORA_WEBSERVER_PORT: "443"
      })
      proxy = await startProxy(instance.node.port)
      video = await publish(instance, { name: "Plainly named" })
      const captions = new FormData()
      captions.set(
        "captionfile",
        new Blob(["WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n"], { type: "text/vtt" }),
        "en.vtt"
      )
      await sendForm("PUT", `/api/v1/videos/${video.uuid}/captions/en`, captions)
      const me = await instance.node.json<{ videoChannels: ReadonlyArray<{ id: number }> }>(
        "/api/v1/users/me",
        instance.auth
      )
      const list = new FormData()
      for (const [name, value] of [
        ["displayName", "A list"],
        ["privacy", "1"],
        ["videoChannelId", String(me.videoChannels[0]!.id)]
      ] as const)
        list.set(name, value)
      const made = (await sendForm("POST", "/api/v1/video-playlists", list)) as { videoPlaylist: { shortUUID: string } }
      playlist = made.videoPlaylist.shortUUID
      await send(instance, "POST", `/api/v1/video-playlists/${playlist}/videos`, { videoId: video.id })
    })
    afterAll(async () => {
      proxy?.close()
      await instance?.node.remove()
    })

    const sendForm = async (method: string, path: string, body: FormData): Promise<unknown> => {
      const answer = await fetch(instance.node.url + path, { method, headers: instance.auth, body })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
      return text === "" ? undefined : JSON.parse(text)
    }

    /** What it says of an address, without downloading anything. */
    const found = (path: string) =>
      new Promise<Found>((resolve, reject) => {
        const { port } = proxy.address() as AddressInfo
        const plain = [
          "--ignore-config",
          "--no-cache-dir",
          "--no-check-certificates",
          "--flat-playlist",
          "--write-subs",
          "-J"
        ]
        const args = [...plain, "--proxy", `http://127.0.0.1:${port}`, `https://${host}${path}`]
        execFile(program, args, { timeout: 60_000 }, (error, out) =>
          error === null ? resolve(JSON.parse(out) as Found) : reject(error)
        )
      })

    it("has the formats and subtitles of a video", async () => {
      for (const path of [`/w/${video.shortUUID}`, `/videos/watch/${video.uuid}`, `/videos/embed/${video.uuid}`]) {
        const { duration, extractor, formats, subtitles, title } = await found(path)
        expect([title, extractor, duration], path).toEqual(["Plainly named", "PeerTube", 2])
        expect(
          formats?.map((it) => [new URL(it.url).host, it.height]),
          path
        ).toContainEqual([host, 240])
        expect(new URL(subtitles?.["en"]?.[0]?.url ?? "").pathname, path).toMatch(/\.vtt$/)
      }
    })

    it.runIf(host === known)("has the videos of channels, accounts and playlists", async () => {
      for (const [path, title] of [
        ["/c/root_channel/videos", "Main root channel"],
        ["/a/root/videos", "root"],
        [`/w/p/${playlist}`, "A list"]
      ] as const) {
        const channel = await found(path)
        expect([channel.title, channel.extractor], path).toEqual([title, "PeerTube:Playlist"])
        expect(
          channel.entries?.map((it) => [it.title, it.url]),
          path
        ).toEqual([["Plainly named", `https://${host}/w/${video.shortUUID}`]])
      }
    })

    it("has the videos of a channel by its feed", async () => {
      const feed = await found("/feeds/videos.xml?videoChannelName=root_channel")
      expect(feed.entries?.map((it) => it.title)).toEqual(["Plainly named"])
    })
  })
