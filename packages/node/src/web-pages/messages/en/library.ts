export const messages = {
  name: "Name",
  description: "Description",
  privacy: "Who may see it",
  channel: "Channel",
  none: "None",
  picture: "Picture",
  pictureHint: "Without one, the picture of the first video stands for the playlist.",
  mine: "My playlists",
  make: "New playlist",
  create: "Create",
  playlist: "Playlist",
  play: "Play",
  change: "Change name, privacy or picture",
  save: "Save",
  remove: "Delete this playlist",
  orderHint: "Drag the handles, or focus one and press the arrow keys, to change the order.",
  nothing: "There is nothing in this playlist yet. Choose “Save” below a video to put it here."
} as const
