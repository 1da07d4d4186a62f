// What reads Python: a part of the editor's script that can be run by itself.
export { pythonLanguage } from "@codemirror/lang-python";
