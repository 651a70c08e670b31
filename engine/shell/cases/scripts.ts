// Scripts about where a script stands and what interrupts it: traps, lines, sourced files, arrays by name, reading. Most kinds were found by the
// test suites of other shells.

/** A dollar before a brace must not be JavaScript's. */
const raw = (parts: TemplateStringsArray) => String.raw(parts).replaceAll('\\$', '$').replaceAll('\\`', '`');

/** One script per entry, run by `bash -c`. */
export const SCRIPTS: readonly string[] = [
  raw`cat > s <<'E'
trap 'echo "line $LINENO: $BASH_COMMAND"' ERR
false
f() {
  false
  echo in f
}
f; set -E; f
true | false
if false; then :; fi; false || true; ! true
trap 'echo bye $? $LINENO' EXIT
exit 4
E
bash s; echo $?`,
  raw`cat > s <<'E'
trap 'echo "[$LINENO] $BASH_COMMAND"' DEBUG
echo a; x=1
case x in x) echo c ;; esac
f() { echo inside; }
f
echo p | cat
trap 'echo "[$LINENO]"' DEBUG
for i in 1 2; do
  : $i
done
for ((i = 0; i < 1; i++)); do :; done
[[ a ]] && ((1))
(echo sub)
trap - DEBUG
g() { trap 'echo return $?' RETURN; (exit 2); }
g; trap
E
bash s; echo $?`,
  raw`cat > lib.sh <<'E'
where() { echo "\${FUNCNAME[*]}|\${BASH_SOURCE[*]##*/}|\${BASH_LINENO[*]}"; }
echo "sourced \${BASH_SOURCE[0]} $LINENO $0"
where
E
cat > main.sh <<'E'
echo "\${BASH_SOURCE[0]} \${#FUNCNAME[@]}"
. ./lib.sh
outer() {
  where
}
outer
E
bash main.sh; where; f() { echo "\${BASH_SOURCE[0]} \${FUNCNAME[*]}"; }; f`,
  raw`x=5; echo $(< /dev/null)end; echo text > f; y=$(< f); echo "[$y]"; echo "$(<f)"; echo \`< f\`; cat <<E
\\ \" \\$x \
joined
E
cat <<E
\\ \\$x $x
E
echo $((
1 + \
2
))`,
  'seq 3 > >(tac)',
  'exec > >(sed "s/^/> /"); echo one; echo two',
  'cd /nowhere 2> /dev/null; echo $?; unset -z 2> e; cat e; x=$(popd 2>&1); echo "$x"; printf %d x 2>&1; help nothing 2> /dev/null; echo $?',
  raw`umask 0124; umask a+r,u=rw; umask; umask -p; umask -S; umask u=q; echo $?; umask 002; : > f; mkdir d; stat -c %a f d; printf '%b|%b|' '\101' '\0101x'; printf '\0377|%d|%#.0f|%u|' '' 3 -1; printf '%d ' 99999999999999999999 ' 1 '; kill -l 0 INT 99; set -- -a; while getopts ab: o; do :; done; echo $OPTIND; set --; getopts a o; echo $OPTIND; touch a.txt b.md .c; GLOBIGNORE='*.txt:[!b]*'; echo *; unset GLOBIGNORE; IFS=x; set -- one '' two; for i in $*; do echo "<$i>"; done; set -- '' ''; echo "<\${@:-none}>"; builtin ls; echo $?; shift 1 2; echo no`,
  raw`: a b; echo $_; x=1; echo "[$_]"; f() { :; }; f 1 2; echo $_; echo hi > f && cat $_; [[ -n $SHELLOPTS ]] && echo $SHELLOPTS; SHELLOPTS=x; echo $?`,
  raw`declare -A m=([b]=1 [a]=2 [c d]=3); for k in "\${!m[@]}"; do echo "$k=\${m[$k]}"; done; k='c d'; r='m[$k]'; echo \${!r}; declare -n n='m[$k]'; echo $n; n=9; echo "\${m[c d]}"; unset 'm[$k]'; echo \${#m[@]}; test -v 'm[$k]'; echo $?; k=z; printf -v 'm[$k]' %s new; read 'm[q r]' <<< two; declare -p m; for i in {1..40}; do m[key$i]=$i; done; echo \${m[@]}`,
  raw`i=1; a=([i++]=x [10+i++]=$((i)) y); declare -p a; a=([0]=3 [a[0]]=q); declare -p a; a["1"]=z; echo \${a[1]}; b=(1 2); b+=([5]=x y); declare -p b; unset 'b[-1]' 'b[ 0 + 1 ]'; declare -p b; declare -ai n=(1+1 2*3); n+=(3+3); n[0]+=5; echo \${n[@]}`,
  raw`f() { unset x; echo "[$x]"; }; g() { local x=local; f; echo "[$x]"; unset x; echo "[$x]"; f; }; x=global; g; echo "[$x]"; x=again; x=temporary f; echo "[$x]"`,
  raw`echo 'a\bc\' > f; echo 'd e' >> f; read x < f; echo "$x"; read -r x < f; echo "$x"; echo 'a\bcdef' | { read -n 3 x; echo "$x"; }; printf 'a\0b\n' | { read x; echo "$x"; }; printf 'a\\\n,b,c' | { read -d , x; echo "$x"; }; mkdir d; read x < d; echo $?; read -u 9 x; echo $?; read -u -1 x; echo $?; type echo > /dev/full; echo $?; x=abz; echo \${x//[z-b]/-}`,
  'set -e; { cat; } < nofile; echo not here',
  raw`f() { eval 'echo $((1/0))'; echo next $?; }; f; readonly r=1; eval 'r=2'; echo caught $?; case $((1/0)) in *) echo no;; esac
echo after; for i in $((1/0)); do echo no; done; echo no
echo end; for i in 1 2; do (continue; echo kept); done; echo \${nope?why}; echo no`,
  raw`readonly r=1; set -e; r=2
echo not here`,
  raw`cat > s <<'E'
echo \${nope?why}
E
bash s; echo $?; printf 'set -u\necho $nope\n' > s; bash s; echo $?; trap 'echo bye' EXIT; trap; (trap); echo "$(trap)"; (trap 'echo sub' EXIT; trap); trap 'echo int' INT; trap 0 2; trap`,
  raw`for e in '1 +' '1 2' 'a[' '1 ? 2' '1 ? : 3' '1 ? 2 :' '++3' '--' '2**-1' '37#z' '1#1' '65#1' '2#' '0x' '08' 'a b' '1 $ 2' '1.5' '5 % (1-1) + 2' 'a=' '= 3' '3++' '4#12@' '02#1' "'1'" '5=3' '(a)=3' '1+a=3' 'a?b=1:c=2' '7--3' '-- a' '++a++' '1<<-1' '[1]' 'a [1]'; do eval "echo \\$(( $e ))"; done`,
];
