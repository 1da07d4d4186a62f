"""The interface in Chinese, by its English."""

from grader.findings.catalogue import catalogue
from grader.translate import OUTCOMES
from server.web.chinese_instructors import TEACHING, TEACHING_FORMS

# What is refused, with something in it that is not ours: {slot} stands for it.
FORMS: dict[str, str] = {
    **TEACHING_FORMS,
    "The name {who} is taken.": "名字 {who} 已被占用。",
    "A password has at most {most} characters, and no NUL.": "密码最多 {most} 个字符，且不能含 NUL。",
    "The file is not UTF-8 text (byte {at}). Save it as UTF-8 and send it again.": (
        "文件不是 UTF-8 文本（第 {at} 个字节）。请存为 UTF-8 再发送。"
    ),
    "Line {line} has a NUL character. Is this a Python file?": "第 {line} 行有 NUL 字符。这是 Python 文件吗？",
    "The source has {many} bytes; at most {most} are accepted.": "源代码有 {many} 字节；最多接受 {most} 字节。",
    "'{what}' is no framework of this problem; choose {known}.": "'{what}' 不是本题的框架；请选 {known}。",
    "All {many} attempts of '{title}' are used. Run samples still works; ask your teacher for more.": (
        "“{title}”的 {many} 次提交机会已用完。仍可运行示例；要更多机会请找老师。"
    ),
    "There is no problem '{what}'.": "没有题目 '{what}'。",
    "The solution stays closed until '{title}' is due.": "“{title}”截止之前不公布参考答案。",
    "This page is for the role {role}; yours is {other}.": "这个页面供角色 {role} 使用；你的角色是 {other}。",
    "These are not two submissions to {title}.": "这不是《{title}》的两次提交。",
}

CHINESE: dict[str, str] = {
    **TEACHING,
    # what others did with an account (`server.services.notices`)
    "A learner, %(name)s,": "学生 %(name)s ",
    "An instructor, %(name)s,": "老师 %(name)s ",
    "An admin, %(name)s,": "管理员 %(name)s ",
    "The learning platform %(name)s": "学习平台 %(name)s ",
    "The operator of this site": "本站的管理人员",
    "%(actor)s made a reset link for your account on %(at)s; it has not been used.": (
        "%(actor)s于 %(at)s 为你的账号生成了重设密码的链接；它还没有被使用。"
    ),
    "%(actor)s made a reset link for your account on %(at)s; it was used on %(used)s.": (
        "%(actor)s于 %(at)s 为你的账号生成了重设密码的链接；它于 %(used)s 被使用。"
    ),
    "%(actor)s changed your role on %(at)s: it was %(was)s and is %(role)s. %(reason)s": (
        "%(actor)s于 %(at)s 更改了你的角色：原为%(was)s，现为%(role)s。%(reason)s"
    ),
    "%(actor)s closed your account on %(at)s: %(reason)s": "%(actor)s于 %(at)s 关闭了你的账号：%(reason)s",
    "%(actor)s opened your account again on %(at)s: %(reason)s": "%(actor)s于 %(at)s 重新开放了你的账号：%(reason)s",
    "%(actor)s made you a teacher of the course '%(course)s' on %(at)s.": "%(actor)s于 %(at)s 让你成为课程“%(course)s”的老师。",
    "%(actor)s made you a learner of the course '%(course)s' on %(at)s.": "%(actor)s于 %(at)s 让你成为课程“%(course)s”的学生。",
    "%(actor)s removed you from the course '%(course)s' on %(at)s.": "%(actor)s于 %(at)s 将你移出了课程“%(course)s”。",
    "%(actor)s archived the course '%(course)s' on %(at)s.": "%(actor)s于 %(at)s 归档了课程“%(course)s”。",
    "%(actor)s set your score for %(problem)s in '%(assignment)s' to %(score)s on %(at)s: %(reason)s": (
        "%(actor)s于 %(at)s 将你在“%(assignment)s”中 %(problem)s 的分数设为 %(score)s：%(reason)s"
    ),
    "%(actor)s took back the score set by hand for %(problem)s in '%(assignment)s' on %(at)s: %(reason)s": (
        "%(actor)s于 %(at)s 撤回了“%(assignment)s”中 %(problem)s 的手动分数：%(reason)s"
    ),
    "%(actor)s had submissions to %(problem)s judged again; %(count)s of your verdicts changed on %(at)s: %(reason)s": (
        "%(actor)s让 %(problem)s 的提交重新评测；你的 %(count)s 个评测结果于 %(at)s 改变：%(reason)s"
    ),
    "%(actor)s gave the attempt of submission %(number)s to %(problem)s back to you on %(at)s.": (
        "%(actor)s于 %(at)s 把对 %(problem)s 的第 %(number)s 号提交所用的次数还给了你。"
    ),
    "%(actor)s had submission %(number)s to %(problem)s judged again on %(at)s.": (
        "%(actor)s于 %(at)s 让对 %(problem)s 的第 %(number)s 号提交重新评测。"
    ),
    "%(actor)s changed %(path)s in your draft %(problem)s on %(at)s.": "%(actor)s于 %(at)s 修改了你的草稿 %(problem)s 中的 %(path)s。",
    "%(actor)s removed %(path)s from your draft %(problem)s on %(at)s.": "%(actor)s于 %(at)s 从你的草稿 %(problem)s 中移除了 %(path)s。",
    "%(actor)s deleted your draft %(problem)s on %(at)s.": "%(actor)s于 %(at)s 删除了你的草稿 %(problem)s。",
    "%(actor)s published version %(number)s of your problem %(problem)s on %(at)s.": (
        "%(actor)s于 %(at)s 发布了你的题目 %(problem)s 的第 %(number)s 版。"
    ),
    "Admins of this site can read what you send.": "本站的管理员可以阅读你提交的内容。",
    "I have read this": "我已阅读",
    "What others did with your account and your work": "其他人对你的账号和作业做过什么",
    "A new password ends every other session, every API token and every reset link.": (
        "新密码会结束所有其他会话、所有 API 令牌和所有重设链接。"
    ),
    "You have no notice of that number.": "你没有这个编号的通知。",
    "Learners of your courses": "你课程中的学生",
    "Teachers of a course read what you send to its assignments, set scores, and make links that set a new password.": (
        "课程的老师可以阅读你对其作业的提交、设定分数，并生成重设密码的链接。"
    ),
    "Teachers of this course read what you send to its assignments, set scores, and make links that set a new password.": (
        "本课程的老师可以阅读你对其作业的提交、设定分数，并生成重设密码的链接。"
    ),
    "There is no open account of that number for which you may make a link.": "没有该编号的可用账号，或你不能为它生成链接。",
    "You judge again what learners of your own courses sent; an admin, what anyone sent.": (
        "你可以重新评测自己课程的学生的提交；管理员可以重新评测任何人的提交。"
    ),
    # the frame of every page
    "Problems": "题目",
    "Progress": "进度",
    "Leaderboard": "排行榜",
    "Leaderboards": "排行榜",
    "Manage": "管理",
    "Courses": "课程",
    "Received": "已收到",
    "received": "已收到",
    "Your teacher shows results after the assignment is due.": "老师会在作业截止后公布结果。",
    "You are in no course yet.": "你还没有加入任何课程。",
    "Code of a course": "课程代码",
    "Join": "加入",
    "You are in: %(title)s": "已加入：%(title)s",
    "No course has this code. Ask your teacher for it.": "没有课程使用此代码，请向老师询问。",
    "due": "截止",
    "over": "已过",
    "late work loses": "迟交每",
    "a day": "天扣分",
    "late work does not count": "迟交不计分",
    "late work counts in full": "迟交不扣分",
    "attempts for each problem": "次提交机会（每题）",
    "Attempts": "提交次数",
    "days late": "天迟交",
    "Nothing is assigned yet.": "还没有布置作业。",
    "This verdict was revised:": "本次评测结果已修订：",
    "Before, it was:": "原结果：",
    "Reason:": "原因：",
    "Teach": "教学",
    "Sign in": "登录",
    "Sign up": "注册",
    "Sign out": "退出",
    "Site": "网站",
    "Skip to the content": "跳到正文",
    "To the problems": "返回题目列表",
    "Pages": "分页",
    "Back": "上一页",
    "More": "下一页",
    "of": "/",
    # the bank
    "The way": "学习路线",
    "Map of the tracks": "路线图",
    "Search": "搜索",
    "Difficulty": "难度",
    "Framework": "框架",
    "Frameworks": "框架",
    "State": "状态",
    "any": "不限",
    "Filter": "筛选",
    "Problem": "题目",
    "Accepted": "通过",
    "accepted": "通过",
    "after": "先做：",
    "nobody yet": "还没有人提交",
    "Show all": "显示全部",
    "No problem is like that.": "没有符合条件的题目。",
    "The bank is empty. Put problems on the disk and run bank sync.": "题库是空的。请把题目放到磁盘上，再运行 bank sync。",
    "solved": "已解决",
    "tried": "尝试过",
    "open": "可以做",
    "later": "以后再做",
    "Foundations": "基础",
    "Masks": "掩码",
    "Heads": "多头",
    "Efficiency": "效率",
    "Beyond": "进阶",
    "Easy": "容易",
    "Medium": "中等",
    "Hard": "困难",
    # a problem
    "More examples": "更多示例",
    "%(all)s cases, %(shown)s shown": "%(all)s 个用例，展示 %(shown)s 个",
    "About this problem": "关于本题",
    "Your submissions": "你的提交",
    "Solution": "参考答案",
    "Give up and read the solution": "放弃并查看答案",
    "Your solution": "你的解答",
    "Reset": "重置",
    "File": "文件",
    "Run samples": "运行示例",
    "Submit": "提交",
    "Sign in to submit": "登录后提交",
    "Source": "源代码",
    "To the editor": "到编辑器",
    "The verdict appears here. Samples can be run as often as you like; nothing of that is recorded.": (
        "评测结果会显示在这里。示例可以随意运行,不会留下记录。"
    ),
    "Numbers": "数值",
    "the judge is still computing this example.": "评测机还在计算这个示例。",
    "Input": "输入",
    "Expected": "期望",
    "Got": "得到",
    "Difference": "差",
    "expected": "期望",
    "yours": "你的",
    "difference": "差",
    "is raised": "应被抛出",
    "empty": "空",
    "too large to show": "太大，不显示",
    "nothing": "没有",
    "Pictures of": "图：",
    "Not kept, because it is too large:": "太大，未保存：",
    "One of the two has more lines than are compared line by line; both are shown as they are.": (
        "其中一份的行数超过逐行比较的上限；两份按原样显示。"
    ),
    "A request of this kind is running. Wait for it, and send this one again.": "同类请求正在处理；请等它完成后再发送。",
    # a verdict
    **{words.capitalize(): catalogue("zh").gettext(words) for words in OUTCOMES.values()},
    ", ": "；",
    (
        "The judge failed on this submission. This is not your fault, and nothing is scored. "
        "It counts as an attempt until the operator has looked at it."
    ): "评测机在这次提交上出了故障。这不是你的错，不计分。在管理员处理之前，它算一次提交机会。",
    "This problem is broken and cannot be judged now. It is not your fault and nothing is scored; the operator can see it.": (
        "这道题出了问题，现在无法评测。这不是你的错，不计分；管理员可以看到。"
    ),
    "Your teacher shows the verdict only.": "老师只公布评测结果。",
    "Queued": "排队中",
    "Running": "评测中",
    "Done": "完成",
    "Being judged": "正在评测",
    "before it": "个在前面",
    "cases so far": "个用例已评测",
    "cases": "个用例",
    "samples": "个示例",
    "Cases": "用例",
    "sample": "示例",
    "All cases": "全部用例",
    "Case": "用例",
    "Verdict": "结果",
    "Why it exists": "为什么有它",
    "What was seen": "看到了什么",
    "Printed": "打印的内容",
    "with public inputs": "用公开的输入",
    "under 10 ms": "不到 10 ms",
    "The inputs of the hidden case stay hidden; these are others of the same kind. To reproduce them:": (
        "隐藏用例的输入仍然隐藏；这里是同类的另一组输入。要重现它们："
    ),
    "Seen in": "出现在",
    "in a sealed container": "在密封容器中",
    "without a wall": "没有隔离",
    "Its source and the details of its cases are no longer kept.": "源代码和各用例的详情已不再保留。",
    "Samples only: nothing is recorded.": "只运行示例，不作记录。",
    "Compare with the solution": "与参考答案比较",
    "Next problem": "下一题",
    "Nothing can be judged at the moment. What you submit is kept, and judged as soon as it can be.": (
        "目前无法评测。你的提交会保留，恢复后立即评测。"
    ),
    "The judge failed on the first attempt; it tries again. This is not your fault.": "评测机第一次失败了，正在重试。这不是你的错。",
    # history, solution, leaderboards
    "Nothing submitted yet.": "还没有提交。",
    "Choose a problem": "选一道题",
    "Latest submissions": "最近的提交",
    "Compare": "比较",
    "Compare side by side": "并排比较",
    "Side by side": "并排比较",
    "change": "改动",
    "left": "左",
    "right": "右",
    "Points": "得分",
    "Sent": "提交时间",
    "Version": "版本",
    "Earlier": "更早",
    "Later": "更近",
    "This problem is no longer in the bank.": "这道题已不在题库中。",
    "Give up?": "要放弃吗？",
    "Keep trying": "再试试",
    "Read the solution": "查看答案",
    "The solution opens once you have solved the problem. You can also read it now; that is recorded, an"
    "d you can still solve the problem afterwards.": (
        "解出题目后即可查看答案。你也可以现在就看；这会被记录，之后仍然可以继续做题。"
    ),
    "Name": "名字",
    "Solved": "已解决",
    "Since": "自",
    "CPU time": "CPU 时间",
    "CPU time of accepted submissions.": "通过的提交所用的 CPU 时间。",
    "Most problems solved first, then who was there earliest.": "先按解决的题数，再按时间先后。",
    "Only those are shown who chose a name for it on their profile.": "只显示在个人页面上选择了显示名的人。",
    "Nobody is here yet.": "还没有人。",
    # accounts
    "Password": "密码",
    "Password, once more": "再输一次密码",
    "New password": "新密码",
    "New password, once more": "再输一次新密码",
    "Old password": "旧密码",
    "Set the password": "设置密码",
    "Change the password": "修改密码",
    "For the account": "账号：",
    "Invitation": "邀请码",
    "No account yet?": "还没有账号？",
    "Have an account?": "已有账号？",
    "Password forgotten? Ask your instructor for a link.": "忘记密码？请向老师要一个链接。",
    "This site makes no new accounts. Ask your instructor for one.": "本站不开放注册，请向老师要账号。",
    "Welcome, %(name)s.": "欢迎，%(name)s。",
    "Go on": "继续",
    "Why": "原因",
    "why": "原因",
    "Your password is changed.": "密码已修改。",
    "The name or the password is wrong.": "名字或密码不对。",
    "The old password is wrong.": "旧密码不对。",
    "The two passwords differ.": "两次输入的密码不同。",
    "This invitation is unknown, used or expired; ask for a new one.": "邀请码不存在、已使用或已过期，请另要一个。",
    "An account needs an invitation here; ask your instructor for one.": "注册需要邀请码，请向老师要一个。",
    "This link is unknown, used or expired; ask your instructor for a new one.": "链接不存在、已使用或已过期，请向老师另要一个。",
    "A name has 2 to 39 letters, digits, dots, hyphens or underscores, and begins with a letter or digit.": (
        "名字由 2 到 39 个字母、数字、点、连字符或下划线组成，并以字母或数字开头。"
    ),
    "A password has at least 8 characters.": "密码至少 8 个字符。",
    "A password is not the name.": "密码不能与名字相同。",
    "Learner": "学生",
    "Instructor": "老师",
    "Admin": "管理员",
    "since": "自",
    "until": "有效期至",
    "made": "创建于",
    "last used": "最近使用",
    "API tokens": "API 令牌",
    "For grade login and other programs.": "供 grade login 和其他程序使用。",
    "Your new token. It is shown only now; keep it like a password.": "新的令牌。只显示这一次，请像密码一样保管。",
    "In a terminal, to send files from there:": "要从终端发送文件，请在终端输入：",
    "What it is for": "用途",
    "Make a token": "创建令牌",
    "Revoke": "撤销",
    "Revoked.": "已撤销。",
    "Save": "保存",
    "Saved.": "已保存。",
    "Show me as (empty: do not show me)": "显示名（留空则不显示）",
    # management
    "Invitations": "邀请",
    "Invite": "邀请",
    "Role": "角色",
    "Note": "备注",
    "Accounts": "账号",
    "active": "启用",
    "closed": "停用",
    "Make a link": "生成链接",
    "A new account": "新账号",
    "send this link to the person. It is shown only now and works once.": "请把这个链接发给本人。只显示这一次，只能用一次。",
    "The judge": "评测机",
    "The judge has failed on nothing.": "评测机没有失败过。",
    "What went wrong": "出了什么问题",
    "Judge again": "重新评测",
    "Queued again.": "已重新排队。",
    "no worker is running": "没有评测进程在运行",
    "Ready": "就绪",
    "Opening": "正在启动",
    "Unavailable": "不可用",
    # the API page, errors
    "Parameters": "参数",
    "Body": "请求体",
    "Answers": "响应",
    "Objects": "对象",
    "Send it again": "重新发送",
    "The page was open for too long, so nothing was sent. Your text is below as it was.": (
        "页面打开太久，没有发送。你的内容原样保留在下面。"
    ),
    "Bad request": "请求有误",
    "Sign in first": "请先登录",
    "Not allowed": "没有权限",
    "There is no such page": "没有这个页面",
    "Not possible here": "此处不支持这个操作",
    "Too large": "太大",
    "Wrong type": "类型不对",
    "Cannot be accepted": "无法接受",
    "Too many requests": "请求太频繁",
    "Something broke on our side": "我们这边出了问题",
    "Not now": "暂时不行",
    "Error": "错误",
    "There is no source: the submission is empty.": "没有代码：提交是空的。",
    "The source has half a character (a lone surrogate); it cannot be written as UTF-8.": (
        "源代码里有半个字符（落单的代理项），无法写成 UTF-8。"
    ),
    "What was sent is not UTF-8 text. Save the file as UTF-8 and send it again.": "发送的内容不是 UTF-8 文本。请把文件存为 UTF-8 再发送。",
    "The form was open for too long, or was not made here. Go back, load the page again, and send it again.": (
        "表单打开太久，或者不是本站的。请返回，重新载入页面，再发送一次。"
    ),
    "The request has a character or a number that cannot be stored.": "请求里有无法存储的字符或数。",
    "The key of a repeated request has 1 to 64 printable ASCII characters.": "重复请求的键由 1 到 64 个可打印的 ASCII 字符组成。",
    "Choose two submissions to compare.": "请选择两次提交来比较。",
    "You have no token of that number.": "你没有这个编号的令牌。",
    "You are in no course of that number.": "你没有加入这个编号的课程。",
    "Check the address; what belongs to somebody else is not shown either.": "请检查地址；属于别人的内容也不会显示。",
    "The request is larger than the service accepts.": "请求超过了允许的大小。",
    "Wait a moment and send it again.": "请稍等再发送。",
    "It is logged. Nothing of what you sent was stored halfway.": "已记录。你发送的内容没有被写入一半。",
    "The service cannot write now (its database is locked or its disk is full). Nothing was stored; send it again in a moment.": (
        "服务暂时无法写入（数据库被锁或磁盘已满）。没有存下任何内容，请稍后再发送。"
    ),
    "You have no submission of that number.": "你没有这个编号的提交。",
}
