/** Categories and licences of videos by id, privacies of playlists by id. */
export const messages = {
  category:
    "{id, select, 1 {Music} 2 {Films} 3 {Vehicles} 4 {Art} 5 {Sports} 6 {Travels} 7 {Gaming} 8 {People} 9 {Comedy} 10 {Entertainment} 11 {News & Politics} 12 {How To} 13 {Education} 14 {Activism} 15 {Science & Technology} 16 {Animals} 17 {Kids} 18 {Food} other {}}",
  licence:
    "{id, select, 1 {Attribution} 2 {Attribution - Share Alike} 3 {Attribution - No Derivatives} 4 {Attribution - Non Commercial} 5 {Attribution - Non Commercial - Share Alike} 6 {Attribution - Non Commercial - No Derivatives} 7 {Public Domain Dedication} 8 {Free of known copyright restrictions} 9 {All Rights Reserved} other {}}",
  playlistPrivacy:
    "{id, select, 1 {Public: everybody, in a channel} 2 {Unlisted: who has the link} 3 {Private: only you} other {}}"
} as const
