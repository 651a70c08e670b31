# Bytes that are no UTF-8, from a shell to a Node program.
node -p 'JSON.stringify(process.argv.slice(1))' $'\xff' $'a\xe2\x82b' $'\xe2\x82\xac'
X=$'\xfe' node -p 'JSON.stringify(process.env.X)'
