export const messages = {
  space: "Space",
  play: "Play or pause",
  five: "5 seconds back or forward",
  ten: "10 seconds back or forward",
  tenth: "To a tenth of the video",
  picture: "One picture back or forward, while paused",
  speed: "Slower or faster",
  mute: "Mute",
  louder: "Louder or quieter, in the player",
  captions: "Captions",
  fullscreen: "Full screen",
  pip: "Picture in picture"
} as const
