/** First steps of an operator: from a fresh start to a configured instance. */
export const messages = {
  title: "First steps",
  lead: "Five steps to an instance of your own. Each can be skipped, and all of it can be changed later.",
  steps: "Steps",
  stepName:
    "{step, select, identity {Name} registration {Registration} mail {Mail} federation {Federation} other {Transcoding}}",
  stepText:
    "{step, select, identity {What people read first about this place.} registration {Who may have an account here.} mail {Links to verify addresses and to reset passwords go by mail. Does it work?} federation {How this instance and others follow each other.} other {Uploaded videos are made into formats and sizes that every device plays. It costs time and storage.}}",
  name: "Name of the instance",
  nameHelp: "Shown in titles, in mails and to other instances.",
  shortDescription: "Short description",
  shortDescriptionHelp: "One or two sentences.",
  mode: "Registration",
  modeName:
    "{mode, select, open {Open: who asks has an account} approval {By approval: moderators decide} other {Closed: administrators make accounts}}",
  limit: "Limit of accounts",
  limitHelp: "With so many accounts, registration closes by itself. -1 is no limit.",
  followers: "Others may follow this instance",
  manualApproval: "Ask me before somebody follows",
  channels: "Others may follow the channels here",
  followBack: "Follow back",
  followBackHelp: "This instance follows each that follows it, so that the videos of both are seen at both.",
  transcoding: "Transcode videos",
  transcodingHelp: "Without it, videos are played as they were uploaded, and some devices cannot.",
  resolutions: "Resolutions",
  soundOnly: "Sound only",
  pinned: "Set by the environment: it cannot be changed here.",
  address: "Address",
  addressHelp: "A test mail goes there.",
  sendMail: "Send a test mail",
  mailOutcome:
    "{kind, select, waiting {The mail is on its way to the mail server…} sent {The mail server took the mail. Look whether it has arrived, and whether it was taken for spam.} other {The mail was not sent: {reason}}}",
  saveAndNext: "Save and go on",
  next: "Go on",
  skip: "Skip",
  doneTitle: "Your instance is ready",
  doneText: "Everything else is in the configuration, whenever you need it.",
  toOverview: "To the overview",
  toConfig: "All settings",
  toUpload: "Upload the first video"
} as const
