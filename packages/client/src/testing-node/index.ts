/** Recordings of models in files. Needs Node. */
export { type OpenedRecording, openRecording } from "./open-recording.js";
export { loadRecording, saveRecording } from "./recording-file.js";
