// What the script itself says, in the two languages of the pages.
const CHINESE = {
  saved: "已保存",
  "Nothing was sent: there is no connection. Your text is kept in this browser.": "没有发送:网络已断开。代码保存在此浏览器中。",
  "No connection. What you write is kept in this browser; submitting has to wait.": "网络已断开。代码会保存在此浏览器中,提交需要等待。",
  "Connection lost; asking again…": "连接中断,正在重试…",
  "Something broke on our side; nothing was stored halfway.": "服务器出错,没有留下不完整的数据。",
  "You are signed out. Sign in and send it again; your text is kept.": "你已退出登录。请登录后重新发送,代码已保留。",
  "The starter is back. Undo brings your text again.": "已恢复初始代码,撤销即可找回原来的代码。",
  "The file was read into the editor.": "文件已读入编辑器。",
  "This file is larger than the service accepts.": "文件超过大小限制。",
  "This file is not UTF-8 text.": "文件不是 UTF-8 文本。",
  "The file could not be read.": "无法读取文件。",
  "This is the source of an earlier submission; your newer text is kept.": "这是较早一次提交的代码;你较新的代码已保留。",
  "Show my text": "显示我的代码",
  Sending: "正在发送",
  "Escape, then Tab, leaves the editor.": "先按 Esc 再按 Tab 可离开编辑器。",
  "not saved yet": "尚未保存",
  saving: "正在保存",
  "Your text that was not saved is here again.": "已恢复你尚未保存的内容。",
  "Show what is saved": "显示已保存的内容",
  "Nothing was saved: there is no connection. Your text is kept in this browser.": "没有保存:网络已断开。内容保存在此浏览器中。",
  Copy: "复制",
  copied: "已复制",
  "Arrow keys move through the cells.": "用方向键在格子间移动。",
  "Point at a cell for its value.": "指向格子查看数值。",
} as const;

export type Words = keyof typeof CHINESE;

export const chinese = document.documentElement.lang.startsWith("zh");

export const say = (words: Words): string => (chinese ? CHINESE[words] : words);
