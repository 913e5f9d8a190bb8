import type { LivePlanSettings } from "@kinora/media/live/LivePlan"
import type { LiveContainer } from "@kinora/media/live/SegmentNames"
import { Context, Duration, Effect, Layer, type Redacted } from "effect"
import { isIP } from "node:net"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { nodeName } from "../../platform/jobs/NodeName.ts"

/** A door for publishers. */
export interface DoorSettings {
  readonly enabled: boolean
  /** The address to listen on. */
  readonly host: string
  readonly port: number
  /** The address that publishers get; without the key. */
  readonly publicUrl: string
}

/** The door for publishers by WebRTC. Its address is one of the instance's own. */
export interface WhipSettings extends DoorSettings {
  /** IP addresses at which publishers reach the port; none: those of this host. */
  readonly addresses: ReadonlyArray<string>
  readonly iceServers: ReadonlyArray<string>
}

/** The path of the address that publishers by WHIP get. */
export const whipPath = "/api/v1/videos/live/whip"

export interface LiveSettingsShape {
  /** The name of this node, by which it finds its sessions again. */
  readonly holder: string
  /** Absolute folder of recordings; survives a restart. */
  readonly recordings: string
  readonly origin: string
  readonly enabled: boolean
  readonly allowReplay: boolean
  readonly saveReplay: boolean
  readonly latencyChoice: boolean
  /** Milliseconds; undefined: no limit. */
  readonly maxDuration: number | undefined
  /** -1: no limit. */
  readonly maxInstanceLives: number
  /** -1: no limit. */
  readonly maxUserLives: number
  /** Seconds. */
  readonly maxWindow: number
  /** Milliseconds. */
  readonly reconnectGrace: number
  readonly plan: LivePlanSettings
  readonly threads: number
  readonly container: LiveContainer
  /** Whether segments are offered in parts. */
  readonly lowLatency: boolean
  /** Whether runners make the versions. */
  readonly remoteRunners: boolean
  readonly rtmp: DoorSettings
  readonly rtmps: DoorSettings & { readonly keyFile: string; readonly certFile: string }
  readonly whip: WhipSettings
  readonly srt: DoorSettings & { readonly passphrase: Redacted.Redacted<string> | undefined }
}

const resolutionNumbers = (enabled: Readonly<Record<string, boolean>>): ReadonlyArray<number> =>
  Object.entries(enabled)
    .filter(([, on]) => on)
    .map(([name]) => Number.parseInt(name, 10))

/** How lives are taken in. What administrators change is read anew each time: take nothing out of it beforehand. */
export class LiveSettings extends Context.Service<LiveSettings, LiveSettingsShape>()("@kinora/node/live/LiveSettings") {
  static readonly layer = Layer.effect(
    LiveSettings,
    Effect.gen(function* () {
      const { defaults, derived, listen, live, storage, webserver } = yield* KinoraConfig
      const millis = (duration: Duration.Input) => Duration.toMillis(Duration.fromInputUnsafe(duration))
      const url = (scheme: string, host: string | null, port: number, usual: number) =>
        `${scheme}://${host ?? webserver.hostname}${port === usual ? "" : `:${port}`}/live`
      return {
        holder: yield* nodeName,
        recordings: `${storage.tmp_persistent}/live`,
        origin: derived.origin,
        get enabled() {
          return live.enabled
        },
        get allowReplay() {
          return live.allow_replay
        },
        get saveReplay() {
          return defaults.live.save_replay && live.allow_replay
        },
        get latencyChoice() {
          return live.latency_setting.enabled
        },
        get maxDuration() {
          return live.max_duration < 0 ? undefined : live.max_duration
        },
        get maxInstanceLives() {
          return live.max_instance_lives
        },
        get maxUserLives() {
          return live.max_user_lives
        },
        get maxWindow() {
          return Math.floor(millis(live.dvr.max_window) / 1000)
        },
        get reconnectGrace() {
          return millis(live.reconnect_grace)
        },
        get plan() {
          const { transcoding } = live
          return {
            transcoding: transcoding.enabled,
            resolutions: resolutionNumbers(transcoding.resolutions),
            alwaysTranscodeOriginalResolution: transcoding.always_transcode_original_resolution,
            maxFps: transcoding.fps.max
          }
        },
        get threads() {
          return live.transcoding.threads
        },
        get container() {
          return live.hls.container
        },
        get lowLatency() {
          return live.hls.low_latency
        },
        get remoteRunners() {
          return live.transcoding.enabled && live.transcoding.remote_runners.enabled
        },
        get rtmp() {
          const { enabled, hostname, port, public_hostname } = live.rtmp
          const host = hostname ?? listen.hostname
          return { enabled: live.enabled && enabled, host, port, publicUrl: url("rtmp", public_hostname, port, 1935) }
        },
        get rtmps() {
          const { cert_file, enabled, hostname, key_file, port, public_hostname } = live.rtmps
          return {
            enabled: live.enabled && enabled,
            host: hostname ?? listen.hostname,
            port,
            publicUrl: url("rtmps", public_hostname, port, 443),
            keyFile: key_file,
            certFile: cert_file
          }
        },
        get whip() {
          const { enabled, hostname, ice_servers, port, public_addresses } = live.whip
          return {
            enabled: live.enabled && enabled,
            host: hostname ?? listen.hostname,
            port,
            publicUrl: `${derived.origin}${whipPath}`,
            addresses: public_addresses.filter((address) => isIP(address) !== 0),
            iceServers: ice_servers.filter((address) => /^stuns?:[\w.:[\]-]+$/.test(address))
          }
        },
        get srt() {
          const { enabled, hostname, passphrase, port, public_hostname } = live.srt
          return {
            enabled: live.enabled && enabled,
            host: hostname ?? listen.hostname,
            port,
            publicUrl: `srt://${public_hostname ?? webserver.hostname}:${port}`,
            passphrase: passphrase ?? undefined
          }
        }
      }
    })
  )
}
