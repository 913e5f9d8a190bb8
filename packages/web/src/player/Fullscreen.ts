/** iPhones let only the video element itself go full screen. */
interface AppleVideo extends HTMLVideoElement {
  readonly webkitEnterFullscreen?: () => void
}

export const canFullscreen = (video: AppleVideo): boolean =>
  document.fullscreenEnabled || video.webkitEnterFullscreen !== undefined

/** Puts the player on the whole screen, or takes it back. A refusal by the browser leaves things as they are. */
export const toggleFullscreen = (root: HTMLElement, video: AppleVideo): void => {
  if (document.fullscreenElement !== null) void document.exitFullscreen().catch(() => undefined)
  else if (document.fullscreenEnabled) void root.requestFullscreen({ navigationUI: "hide" }).catch(() => undefined)
  else video.webkitEnterFullscreen?.()
}

export const canPictureInPicture = (): boolean => document.pictureInPictureEnabled === true

export const togglePictureInPicture = (video: HTMLVideoElement): void => {
  if (document.pictureInPictureElement !== null) void document.exitPictureInPicture().catch(() => undefined)
  else void video.requestPictureInPicture().catch(() => undefined)
}
