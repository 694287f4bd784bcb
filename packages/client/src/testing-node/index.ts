/** Recordings of models in files. Needs Node. */
export { loadRecording, saveRecording } from "./recording-file.js";
