/** Going live from the browser. */
export const messages = {
  title: "Go live from this browser",
  room: "Control room",
  watch: "Watch",
  what: "What to show",
  picture: "Picture",
  camera: "Camera",
  screen: "Screen",
  microphone: "Microphone",
  noMicrophone: "No microphone",
  usual: "The usual one",
  lookCamera: "Turn on the camera",
  lookScreen: "Choose a screen",
  preview: "Preview, without sound",
  loudness: "How loud it is",
  noSound: "There is no sound.",
  size: "Share a whole screen rather than a window: the live ends when the picture changes its size.",
  begin: "Go live",
  sending: "What is sent",
  state: "{state, select, on {LIVE} interrupted {Interrupted} other {Connecting}}",
  stateText:
    "{state, select, on {Picture and sound are being sent.} interrupted {The connection is interrupted. It is made anew.} other {The connection is being made.}}",
  stays: "Leave this window open. You can go to the control room in it: sending goes on.",
  end: "End the live",
  endTitle: "End the live?",
  endText: "It ends for everybody who watches.",
  failure:
    "{failure, select, insecure {Browsers give camera and microphone to encrypted pages alone: open this instance by https.} unsupported {This browser cannot send H.264 by WebRTC. Take another browser, or a program such as OBS Studio.} refused {The browser was not allowed to use them. Allow camera and microphone for this site beside its address, then try again.} noDevice {There is no such camera or microphone. Connect one, then try again.} deviceBusy {Another program uses the camera or the microphone. Close it, then try again.} other {The browser gave no picture. Try again.}}",
  ended:
    "{reason, select, key {The key of this live was replaced. Load the page anew.} taken {This live is being sent from somewhere else.} ended {This live cannot be sent to: it has ended, or was blocked.} off {This instance takes no streams from browsers.} format {The instance cannot take what this browser sends.} full {The instance cannot take the stream at the moment. Try again.} network {The instance cannot be reached. Try again.} resized {The picture changed its size, and the live has ended.} sourceEnded {The camera or the screen was taken away, and the live has ended.} other {The connection could not be made anew, and the live has ended.}}",
  otherTitle: "Another live is sent from here",
  otherText: "End it before you begin this one.",
  offTitle: "Not from the browser",
  offText: "This instance takes no streams from browsers, or this live has ended."
} as const
