import type { VideoDetails } from "../api/Wire.ts"
import type { Access } from "./Access.ts"
import { ApiError } from "./ApiError.ts"
import { createRetry } from "./Backoff.ts"
import type { Intent } from "./Intent.ts"
import { createJoining } from "./Joining.ts"
import { availability, browserAbilities, type Media, published, withAddresses } from "./Media.ts"
import { type Failure, failure, t } from "./Messages.ts"
import type { Overlay } from "./Overlay.ts"

const failureOf = (error: unknown): Failure => {
  if (!(error instanceof ApiError)) return failure("unexpected")
  if (error.status === 401 || error.status === 403) return failure("isPrivate")
  return error.status === 404 || error.status === 410 ? failure("absent") : failure("server")
}

const asksForPassword: ReadonlySet<string> = new Set(["video_requires_password", "incorrect_video_password"])

/** What the API says of the video, asked until it can be played. */
export interface Loading {
  readonly details: () => VideoDetails | undefined
  /** Asks for the video, to play it from `start` seconds. */
  readonly load: (start: number) => Promise<void>
  /** Resolves when it is known whether and how the video can be played. */
  readonly settled: Promise<void>
  /** Asks again with this password. */
  readonly unlock: (password: string) => void
}

export interface LoadingInput {
  readonly root: HTMLElement
  readonly access: Access
  readonly overlay: Overlay
  readonly intent: Intent
  /** A page outside sends the password: the form would ask for it in vain. */
  readonly passwordComes: boolean
  /** The video can be played from here on. */
  readonly found: (details: VideoDetails, ways: ReadonlyArray<Media>, start: number) => void
  /** Renditions joined. */
  readonly grown: (ways: ReadonlyArray<Media>) => void
  /** A live that is not on is shown as such, and begins by itself: true when there is nothing to play now. */
  readonly live: (details: VideoDetails) => Promise<boolean>
  readonly fail: (failure: Failure) => void
}

export const createLoading = (input: LoadingInput): Loading => {
  const { access, fail, intent, overlay, root } = input
  const pending = root.hasAttribute("data-pending")
  const waiting = createRetry()
  let details: VideoDetails | undefined
  let startsAt = 0
  let settle = () => {}
  const settled = new Promise<void>((resolve) => {
    settle = resolve
  })

  const giveUp = (failure: Failure) => {
    settle()
    fail(failure)
  }

  const wait = (text: string, start: number) => {
    settle()
    overlay.notice(undefined)
    root.classList.add("kp-off")
    overlay.waiting(text)
    waiting.schedule(() => void load(start))
  }

  const unlock = (password: string) => {
    access.setPassword(password)
    if (!input.passwordComes) intent.want()
    overlay.clearPanel()
    void load(startsAt)
  }

  const askPassword = (error: ApiError) => {
    settle()
    const wrong = error.code !== "video_requires_password"
    overlay.busy(false)
    overlay.notice(undefined)
    root.classList.add("kp-off")
    if (input.passwordComes && !wrong) return
    overlay.question(wrong ? t("wrongPassword") : t("password"), unlock)
  }

  const treat = (error: unknown, start: number): void => {
    const isAnswer = error instanceof ApiError
    if (isAnswer && asksForPassword.has(error.code ?? "")) return askPassword(error)
    if (isAnswer && error.status === 404 && pending) return wait(t("preparing"), start)
    if (!isAnswer || !error.passing) return giveUp(failureOf(error))
    overlay.notice(error.status === 0 ? t("noConnection") : failureOf(error).text)
    waiting.schedule(() => void load(start))
  }

  const waysOf = (video: VideoDetails) => availability(video, browserAbilities(), root.dataset["origin"])

  const load = async (start: number): Promise<void> => {
    startsAt = start
    try {
      details = await access.video()
    } catch (error) {
      return treat(error, start)
    }
    overlay.notice(undefined)
    if (details.isLive && (await input.live(details))) return settle()
    const found = waysOf(details)
    if (found.kind === "failed") return giveUp(found.failure)
    if (found.kind === "waiting") return wait(found.text, start)
    // The page was rendered before the video was ready: now it has a title and the rest.
    if (pending && details.state.id === published) return location.reload()
    waiting.reset()
    joining.watch(details)
    input.found(details, withAddresses(found.ways, access.fileAddress), start)
    settle()
  }

  const joining = createJoining(access.video, (grown) => {
    const found = waysOf(grown)
    if (found.kind !== "media") return
    details = grown
    input.grown(withAddresses(found.ways, access.fileAddress))
  })

  return { details: () => details, load, settled, unlock }
}
