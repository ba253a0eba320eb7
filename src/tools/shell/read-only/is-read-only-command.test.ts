import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { systemShell } from "../../../runtime-shell.ts";
import { toCommandEnvironment } from "../command-environment.ts";
import { isReadOnlyCommand } from "./is-read-only-command.ts";
import { splitCommand } from "./split-command.ts";

const readOnly = `
ls
ls -la src
ls *.ts
  ls   -l
ls;
pwd
echo hello world
echo "it's > here; not a redirect"
echo 'a $b \`c\`'
cat package.json
cat *.md
cat "a file with spaces.txt"
cat a\\ file.txt
cat 'münchen.txt'
head -n 20 a.ts
tail -n 5 a.log
wc -l src/*.ts
wc -l *.ts
ls | wc -l
cat a.ts | grep foo | sort | uniq -c | sort -rn | head
ls && pwd || echo none
ls; pwd
grep -rn "foo\\.bar" src
grep -c "a\\"b" a.txt
rg "fn \\w+" src
rg -n --type ts -g '*.test.ts' pattern
rg --files --hidden
rg -e foo -e bar
find . -name '*.ts' -type f
find src test -maxdepth 2 -not -path '*/node_modules/*'
find . \\( -name a -o -name b \\) -print
sort -k2,2n -t, a.csv
sort -u a.txt
uniq -c
cut -d: -f1 /etc/passwd
tr a-z A-Z
diff -u a.ts b.ts
stat a.ts
du -sh .
df -h
file -b a.bin
date
date +%Y-%m-%d
date -u +%s
date -d yesterday
whoami
uname -a
which node
type ls
env
printenv PATH
hostname
tree -L 2
sed -n 10,20p a.ts
sed -n '1,$p' a.ts
sed 5q a.ts
jq -r .name package.json
jq '.a | .b' x.json
node --version
python3 -V
cd src
cd src && ls
base64 -d a.txt
git status
git status -sb
git status -uno
git --no-pager log
git --version
git log
git log --oneline -20
git log -n 5 --stat -- src
git log -p -S foo src/a.ts
git log --format='%h %an %s' HEAD~3..HEAD
git log --since='2 weeks ago' --author=me
git diff
git diff --cached
git diff HEAD~1 -- src/a.ts
git diff --name-only main...HEAD
git diff -U5
git show HEAD
git show HEAD:src/a.ts
git show --stat HEAD
git blame -L 10,20 src/a.ts
git branch
git branch -a
git branch -vv
git branch --show-current
git tag
git tag -l
git remote -v
git remote get-url origin
git rev-parse HEAD
git rev-parse --abbrev-ref HEAD
git ls-files
git ls-files -o --exclude-standard
git ls-tree -r HEAD --name-only
git cat-file -p HEAD
git grep -n foo
git stash list
git stash show -p
git reflog
git config --get user.name
git config --list
git describe --tags --always
git merge-base main HEAD
git shortlog -sn
git worktree list
`;

const others = `
rm -rf /
sh
bash -c ls
sudo ls
./ls
/bin/ls
command ls
time ls
exec ls
eval ls
source a.sh
. a.sh
nohup ls
xargs rm
ls | xargs rm
ls | tee a.txt
ls > a.txt
ls >a.txt
ls >> a.txt
ls 2>/dev/null
ls 2>&1
ls >& a
ls &> a
ls >| a
cat < a.txt
cat << EOF
cat <<< word
cat <(ls)
ls &
ls & rm a
ls |& cat
ls $(rm a)
ls \`rm a\`
ls "$(rm a)"
ls "\`rm a\`"
ls $HOME
ls "$HOME"
ls \${x}
ls $'a'
echo $((1))
A=b ls
A=b
PATH=. ls
ls # rm
(ls)
{ ls; }
! ls
if ls; then pwd; fi
while ls; do pwd; done
ls {a,b}
ls &&
&& ls
ls ||
| ls
ls ;; ls
ls | | ls
ls 'a
ls "a
ls a\\
"" ls
l* a
tee a
touch a
cp a b
mv a b
ln -s a b
dd if=a of=b
mkdir a
install a b
printf -v 'a[$(id)]' x
printf '%n' 'a[$(id)]'
test -v 'a[$(id)]'
[ -v 'a[$(id)]' ]
[[ -v x ]]
read x
unset x
export A=b
alias ls=rm
trap ls EXIT
set -e
ulimit -n 1
awk '{print}' a
awk 'BEGIN{system("id")}'
perl -e 1
python3 a.py
python3 -c 1
python3 -v
node a.js
node -e 1
npm --version
npm test
npx x
yarn --version
make
curl http://example.org
wget http://example.org
ssh host
vim a
less a
more a
man ls
xxd a b
yq -i .a x.yml
sed -i s/a/b/ a
sed s/a/b/ a
sed -n 'w out' a
sed w./out a.ts
sed -n w./out
sed 1e a
sed 's/a/b/w out' a
sed -e 5p a
sed -f a b
sed 5p -i a
sed '5p;w x' a
sort -o out a
sort -oout a
sort --output=out a
sort --outp out a
sort -ro out a
sort --compress-program=sh a
sort --compress-prog sh a
sort -T /tmp a
sort *
uniq a b
uniq -c a b
find . -delete
find . -name a -delete
find . -exec rm {} \\;
find . -exec rm '{}' ';'
find . -exec rm '{}' +
find . -execdir rm a
find . -ok rm a
find . -okdir rm a
find . -fprint out
find . -fprintf out x
find . -fprint0 out
find . -fls out
find . '-delete'
find . "-delete"
find . -d'elete'
find . \\-delete
find *
find [a]* -name x
find -- -delete
rg --pre sh foo
rg --pre=sh foo
rg --hostname-bin=sh foo
rg -z foo
rg -nz foo
rg --search-zip foo
rg -e -- --pre=sh foo
rg foo *
rg -f a b
tree -o out
tree -ao out
tree -R -L 1
tree -H . -o a
date -s 12:00
date --set=12:00
date --se 12:00
date 010112302026
date 010112302026.30
hostname evil
hostname -F a
env sh
env A=b
env -S 'sh -c ls'
env -i
file -C
file -z a
file -m a b
jq -i . a
jq --in-place . a
jq -f a b
column -J a
base64 -o out -i in
cd a b
cd ..&& rm a
cd sub && git status
git
git commit -m x
git add .
git push
git pull
git fetch
git checkout main
git switch main
git reset --hard
git clean -fd
git rm a
git mv a b
git stash
git stash pop
git stash drop
git stash clear
git apply a
git gc
git init
git clone x
git -c core.pager=sh log
git -c core.fsmonitor=sh status
git -ccore.fsmonitor=sh status
git --config-env=a=b status
git -C /other status
git --git-dir=/other status
git --work-tree=/other status
git --exec-path=/tmp status
git -p log
git --paginate log
git log --output=out
git log --output out
git log --outpu=out
git diff --output=out
git diff --ext-diff
git diff --textconv
git show --ext-diff
git log --ext-diff -p
git log -n --output=x
git log -- --output=x
git log --show-signature
git log --format=%G?
git log --format=%+GG
git tag --format='%(signature)'
git branch --sort=signature:grade
git diff -O/tmp/x
git grep -O foo
git grep -Osh foo
git grep --open-files-in-pager=sh foo
git grep --open foo
git branch new
git branch -d old
git branch -D old
git branch -m new
git branch --list x
git branch --edit-description
git branch --set-upstream-to=x
git tag v1
git tag -d v1
git tag -a v1
git remote add x y
git remote show origin
git remote update
git remote set-url x y
git reflog expire --all
git reflog delete x
git config a.b c
git config --unset a.b
git config --get a.b c
git config --global a b
git config -e
git config --list --edit
git worktree add x
git cat-file --textconv HEAD:a
git cat-file --filters HEAD:a
git cat-file --batch
git bisect start
git rev-parse --parseopt
git archive HEAD
git bundle create a HEAD
git format-patch HEAD~1
git difftool
git mergetool
git submodule foreach ls
git filter-branch
git status *
git log *
git alias
git lo\\g --output=x
`;

const lines = (table: string) => table.split("\n").filter((line) => line !== "");

describe("whether a command is known to change nothing", () => {
  it.each(lines(readOnly))("knows: %s", (command) => {
    expect(isReadOnlyCommand(command)).toBe(true);
  });

  it.each(lines(others))("does not know: %s", (command) => {
    expect(isReadOnlyCommand(command)).toBe(false);
  });

  it.each([
    ["nothing", ""],
    ["blanks", "  \t"],
    ["two lines", "ls\nrm a"],
    ["a line with a return", "ls\rrm a"],
    ["a line continued", "ls \\\n rm"],
    ["a NUL", "ls \0 rm"],
    ["a line break in quotes", "echo 'a\nb'"],
    ["an escape code", "ls \x1b[2J"],
    ["a vertical tab", "ls\vrm"],
    ["a space that is none", "ls\u00a0rm"],
    ["a line separator", "ls\u2028rm"],
    ["a look-alike", "ⅼs"],
    ["a name of Object.prototype", "constructor"],
    ["another one", "git constructor"],
    ["a very long one", `echo ${"a".repeat(20_000)}`],
  ])("does not know %s", (_, command) => {
    expect(isReadOnlyCommand(command)).toBe(false);
  });

  it("knows no line in which something is redirected, substituted or sent to the background", () => {
    const word = fc.constantFrom("ls", "-l", "a.txt", "'q q'", '"d d"', "|", "&&", ";", "git", "log");
    const trick = fc.constantFrom(
      ">",
      "<",
      "$(x)",
      "`x`",
      "$x",
      "&",
      "\n",
      "(",
      ")",
      "{a,b}",
      ">>",
      "2>&1",
      "#",
    );
    fc.assert(
      fc.property(fc.array(word), trick, fc.array(word), (before, middle, after) => {
        expect(isReadOnlyCommand([...before, middle, ...after].join(" "))).toBe(false);
      }),
    );
  });

  it("never fails, whatever it is given", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (command) => {
        expect(typeof isReadOnlyCommand(command)).toBe("boolean");
      }),
    );
  });
});

describe("the words of a command", () => {
  it("are those the shell hands over", () => {
    const split = splitCommand(`grep "a\\"b\\.c" 'x y'z \\* *.ts | wc`);
    expect(split).toEqual([
      [
        { text: "grep", isPattern: false },
        { text: 'a"b\\.c', isPattern: false },
        { text: "x yz", isPattern: false },
        { text: "*", isPattern: false },
        { text: "*.ts", isPattern: true },
      ],
      [{ text: "wc", isPattern: false }],
    ]);
  });
});

/** Runs a script by bash in a folder and gives what it prints. */
async function bash(script: string, cwd: string): Promise<string> {
  let text = "";
  const run = systemShell.start("bash", ["-c", script], {
    cwd,
    environment: { ...toCommandEnvironment(process.env), HOME: cwd },
    onOutput: (bytes, stream) => {
      if (stream === "stdout") text += Buffer.from(bytes).toString();
    },
  });
  await run.ended;
  return text;
}

/** Every file with its content, but for the index, where git notes the times of files it has looked at. */
async function picture(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.endsWith(".git/index"));
  return Object.fromEntries(
    await Promise.all(files.map(async (path) => [path, await readFile(path, "base64")] as const)),
  );
}

describe("against the real shell", () => {
  it("reads words as bash does", async () => {
    const piece = fc.constantFrom(..."ab -'\"\\$`*?[]{}~=:/.!^%,", "\\'", '\\"', "'x'", '"y"', " ");
    const line = fc.array(piece, { maxLength: 14 }).map((pieces) => `w${pieces.join("")}`);
    const known = fc
      .sample(line, 3_000)
      .flatMap((text) => {
        const [words, ...more] = splitCommand(text) ?? [];
        return words && more.length === 0 ? [{ text, words: words.map((word) => word.text) }] : [];
      })
      .filter(({ text }) => !text.includes("~"));
    const shown = await bash(
      `set -f; p() { printf '%s\\0' "$@"; printf '\\n\\0'; }\n${known.map(({ text }) => `p ${text}`).join("\n")}`,
      "/",
    );
    const heard = shown.split("\n\0").slice(0, -1);
    expect(known.length).toBeGreaterThan(100);
    expect(heard.map((words) => words.split("\0").slice(0, -1))).toEqual(known.map(({ words }) => words));
  });

  it("knows only commands that leave every file as it was", async () => {
    const folder = await temporaryFolder();
    await bash(
      "mkdir src sub; for name in a.ts b.ts a.txt a.csv src/a.ts x.json package.json; do echo '{}' >$name; done; git init -q .; git add .; git -c user.name=a -c user.email=a@b commit -qm one; echo more >>a.ts; touch b.ts",
      folder,
    );
    const before = await picture(folder);
    await bash(`${lines(readOnly).join("\n")}\n`, folder);
    expect(await picture(folder)).toEqual(before);
  });
});
