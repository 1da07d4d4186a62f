// What draws the editor: a part of its script that can be run by itself.
export { EditorView } from "@codemirror/view";
