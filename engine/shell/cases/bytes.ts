// Scripts about bytes that are no UTF-8: what the shell and the tools do with them in a UTF-8 locale.

/** A dollar before a brace must not be JavaScript's. */
const raw = (parts: TemplateStringsArray) => String.raw(parts).replaceAll('\\$', '$');

/** One script per entry, run by `bash -c`. */
export const BYTES: readonly string[] = [
  raw`printf 'caf\351'; echo -e 'caf\0351\xe9'; echo $'\351'; printf '%s|%b\n' $'\351' '\0351'; printf '\303'; printf '\251\n'`,
  raw`x=$'a\303'; y=$'\251'; echo \${#x} \${#y}; z=$x$y; echo \${#z} $z; z+=$'\351'; echo \${#z} "\${z:2}" "\${z%?}"; [[ $y == ? ]] && echo one; case $y in [!a]) echo two;; esac`,
  raw`printf '%.2s|%4s|%c|%-4s|\n' éa é é é; printf '%d %d\n' "'é" $'\'\351'; printf '\ud800\U7fffffff\u20ac'; printf -v v '\303%s' $'\251'; echo \${#v}`,
  raw`x=$(printf 'a\351\n'); echo "$x"; echo \${#x}; printf '\351x\nb\n' | { read -r l; echo "$l"; read -r m; echo "$m"; }; read -N 2 l <<< $'\351é'; echo "$l"; mapfile -t a < <(printf '\351\n\303\251\n'); echo "\${a[0]}|\${a[1]}|\${#a[1]}"; printf '\351\303' | { read -r q; echo "$q"; }`,
  raw`x=$'\351'; declare -p x; printf '%q\n' "$x"; echo "\${x@Q}"; set -x; : "$x"`,
  raw`cat <<< $'\351'; cat << E
$(printf '\351')
E
export X=$'\351'; sh -c 'printf "%s\n" "$X"'; sh -c 'printf "%s\n" "$1"' sh "$X"; eval "echo $X"; f() { echo "$1"; }; f "$X"; printf 'echo \351\n' > s; . ./s; bash s; bash < s`,
  raw`printf 'caf\351\nb\351\nx\n' > f; cat f; tee g < f; cmp f g; head -n 1 f; head -n -1 f; head -c 4 f; tail -n 2 f; tail -c 3 f; tac f; nl f; cat -n f; cat -A f; echo é | cat -v; uniq f; split -l 1 f p; cat paa; paste f f; tr -d x < f`,
  raw`printf 'a:\351:c\n' > f; cut -d: -f2 f; cut -b3 f; cut -c3- f; echo é | cut -c1; echo é | tr é e; echo aéb | tr -d '\200-\377'; tr '\351' e < f; tr a-z A-Z < f; printf '\351\351x\n' | tr -s '\351'; printf '\351\351é\n' | fold -w2; wc f; printf '\351é\n' | wc -m -L -c`,
  raw`printf '\351\né\nz\n\360\237\230\200\n\357\274\241\n' | sort; printf 'b\351\na\351\n' | sort -o o; cat o; sort -r o; printf 'a\351\n' | sort -u; comm <(printf 'é\n\351\n') <(printf '\351\n'); printf 'a\n\351\n' | sort -c; echo $?`,
  raw`printf 'caf\351\nx\n' > f; grep caf f; echo $?; grep -a caf f; grep -c f f; grep x f; grep -v caf f; grep -o 'c.' f; printf '\351\n' | grep -c .; printf 'a\nb\351\n' | grep -A1 a; grep -ab x f; printf 'é\n' | grep -c '^.$'; grep -l caf f; grep -q caf f && echo q`,
  raw`printf 'caf\351\n' > f; sed 's/./x/g' f; sed 's/f/&&/' f; sed -n l f; sed -i 's/c/k/' f; cat f; printf '😀é\351\n' | sed 's/./x/g'; printf '😀é\n' | sed 's/[^a]/x/g'; seq 2 | sed 'N;s/1.2/x/'; sed -n 'w g' f; cat g; [[ $'\351' =~ ^.$ ]] && echo m; expr $'\351a' : '.*'`,
  raw`printf 'a \351 c\n' > f; awk '{print $2; print $0 > "o"}' f; cat o; awk '{gsub(/a/, "\351"); print}' f; awk -F'\351' '{print $2}' f; awk '{print "x" $2 "y"}' f; printf '\351\0b' | xargs -0 -n1; printf 'a\351\n' | xargs echo; printf '\357\273\277b\n' | awk '{print}'`,
];
