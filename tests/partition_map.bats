# partition-map on short hand-written texts, each with one change: what it makes of the change. Needs neither clang nor Polly.

load helper

setup() {
    map=${PARTITION_MAP:-$bin/../partition/partition-map}
    verdicts=$bin/partition_verdicts
    [ -x "$map" ] || skip "there is no partition-map: it needs libisl"
    cd "$BATS_TEST_TMPDIR" || exit 1
    write_copy
}

# out[x] = in[x] for x < n.
write_copy() {
    echo "kernel copy coordinates gx" >coordinates
    cat >ir <<'TEXT'
@table = dso_local addrspace(4) externally_initialized global [8 x float] zeroinitializer, align 4
@state = dso_local addrspace(1) externally_initialized global [8 x float] zeroinitializer, align 4
define dso_local void @copy(float* noalias noundef %in, float* noalias noundef %out, i32 noundef %n) #0 {
  %gx = phi i64 [ 0, %a ], [ %b, %c ]
  %gy1 = phi i64 [ 0, %a ], [ %b, %c ]
  %ox = phi i64 [ 0, %a ], [ %b, %c ]
  %bx = phi i64 [ 0, %a ], [ %b, %c ]
  %tx = phi i64 [ 0, %a ], [ %b, %c ]
  %0 = load float, float* %arrayidx, align 4
  store float %0, float* %arrayidx2, align 4
  ret void
}
TEXT
    cat >scops <<'TEXT'
{"scops": [
{"function": "copy", "exit": "end",
 "assumed": "[n, launch_size_x] -> {  :  }",
 "invalid": "[n, launch_size_x] -> {  : false }",
 "parameters": [
  {"name": "n", "text": "%n", "value": {"name": "n", "bits": 32}},
  {"name": "launch_size_x", "text": "%launch_size_x", "value": {"name": "launch_size_x", "bits": 32}}
 ],
 "arrays": [
  {"name": "MemRef_in", "element": "float", "bytes": 4, "sizes": []},
  {"name": "MemRef_out", "element": "float", "bytes": 4, "sizes": []}
 ],
 "statements": [
  {"domain": "[n, launch_size_x] -> { Stmt_body[i0] : 0 <= i0 < launch_size_x and i0 < n }",
   "accesses": [
    {"kind": "read", "relation": "[n, launch_size_x] -> { Stmt_body[i0] -> MemRef_in[i0] }"},
    {"kind": "must_write", "relation": "[n, launch_size_x] -> { Stmt_body[i0] -> MemRef_out[i0] }"}
   ]}
 ]}
]}
TEXT
}

# Adds parameters of these names.
add_parameters() {
    local name
    for name in "$@"; do
        sed -i "s/^  {\"name\": \"launch_size_x\".*/  {\"name\": \"$name\", \"text\": \"%$name\", \"value\": {\"name\": \"$name\", \"bits\": 32}},\n&/" scops
    done
}

# The parameter n is p_0 instead, as Polly names expressions, with the value $1 and the text $2.
change_parameter() {
    change scops "s|\"text\": \"%n\".*}|\"text\": \"$2\", \"value\": $1}|; s/\\([^%a-z]\\)n\\([^a-z]\\)/\\1p_0\\2/g; s/i0 < n/i0 < p_0/"
}

# A kernel with rows: out[y][x] = in[y - 1][x] + in[y + 1][x], row-major, n columns.
write_rows() {
    write_copy
    sed -i 's/ gx/ gy gx/' coordinates
    sed -i 's/^  store/  %1 = load float, float* %arrayidx1, align 4\n&/' ir
    sed -i -e 's/"sizes": \[\]/"sizes": ["[n] -> { [] -> [(n)] }"]/' -e 's/launch_size_x\] ->/launch_size_x, launch_size_y] ->/' \
        -e 's/Stmt_body\[i0\]/Stmt_body[i0, i1]/' -e 's/0 <= i0 < launch_size_x and i0 < n/0 <= i1 < launch_size_x and i1 < n and 0 < i0 < launch_size_y/' \
        -e 's/MemRef_out\[i0\]/MemRef_out[i0, i1]/' scops
    add_parameters launch_size_y
    sed -i -e '/"read"/{s/MemRef_in\[i0\]/MemRef_in[i0 - 1, i1]/;p;s/i0 - 1/i0 + 1/}' scops
}

run_map() {
    status=0
    output=$("$map" "$@" source/copy.cu coordinates scops ir 2>stderr) || status=$?
    stderr=$(cat stderr)
}

# $1: file, $2: change by sed; checks that the change was one.
change() {
    cp "$1" "$1.before"
    sed -i -e "$2" "$1"
    ! cmp -s "$1" "$1.before"
}

has_line() {
    grep -qxF -- "$1" <<<"$output" || {
        echo "no line \`$1\` in:"
        echo "$output"
        return 1
    }
}

@test "the data base of a copy, line by line" {
    run_map
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    diff - <(echo "$output") <<'TEXT'
datamotion-partition 1
kernel copy
 source copy.cu
 coordinates gx
 split x
 invalid {  : false }
 argument 0
  name in
  type float*
  bits 0
  element_bits 32
  fundamental f
  dims 1
  level 1
  read [n, launch_size_x] -> { [gx] -> in[gx] : 0 <= gx < launch_size_x and gx < n }
  read_access [n, launch_size_x] -> { [gx] -> in[gx] : 0 <= gx < launch_size_x and gx < n }
  read_domain_dims 1
  read_pattern launch_size_x,n
 argument 1
  name out
  type float*
  bits 0
  element_bits 32
  fundamental f
  dims 1
  level 1
  write [n, launch_size_x] -> { [gx] -> out[gx] : 0 <= gx < launch_size_x and gx < n }
  write_access [n, launch_size_x] -> { [gx] -> out[gx] : 0 <= gx < launch_size_x and gx < n }
  write_domain_dims 1
  write_pattern launch_size_x,n
  injective yes
 argument 2
  name n
  type i32
  bits 32
  element_bits 0
  fundamental i
  dims 0
  level 0
 end
TEXT
}

@test "the split goes along the dimension that communicates least" {
    write_rows
    run_map
    has_line " split x" # columns need nothing of one another
    has_line "  sizes [n] -> { [] -> [(n)] }"
    change scops 's/MemRef_in\[i0 \([-+]\) 1, i1\]/MemRef_in[i0, i1 \1 1]/'
    run_map
    has_line " split y"
    run_map --split x
    has_line " split x"
    run_map --split z # not a dimension of this kernel
    has_line " split y"
    change scops 's/MemRef_in\[i0, i1 [-+] 1\]/MemRef_in[i0, i1]/'
    run_map # nothing is read twice either way: whole rows are fewer copies
    has_line " split y"
    change scops 's/MemRef_out\[i0, i1\]/MemRef_out[0, i1]/'
    run_map # rows of threads write the same element
    has_line " split x"
    has_line "  injective no"
    change scops 's/MemRef_out\[0, i1\]/MemRef_out[0, 0]/'
    run_map
    has_line " split -"
}

@test "a bound that holds products is evaluated at launch" {
    write_copy
    change coordinates 's/$/\natmost copy 2147483647 (launch_size_x * n)/'
    run_map
    has_line " define bound_0 = (launch_size_x * n)"
    grep -q '^ invalid .*bound_0 >= 2147483648' <<<"$output"
}

@test "what may be written is read as well" {
    write_copy
    change scops 's/must_write/may_write/'
    run_map
    has_line "  may_write yes"
    # Of two arguments one is written and both are read.
    [ "$(grep -c '^  read ' <<<"$output")" -eq 2 ]
    [ "$(grep -c '^  write ' <<<"$output")" -eq 1 ]
}

@test "what a kernel touches is in the data base, also of a refused one" {
    write_copy
    change coordinates 's/$/\ntouches copy rw-/'
    run_map
    has_line "touches copy rw-"
    change scops 's/MemRef_out.i0. }/MemRef_out[o0] }/'
    run_map
    has_line "touches copy rw-"
}

@test "what cannot be split is refused with its reason" {
    while IFS='|' read -r file script expected; do
        write_copy
        change "$file" "$script"
        run_map
        echo "$file $script: $status, $output $stderr"
        [ "$status" -eq 0 ]
        [ "$(grep -vc '^numbers ' <<<"$output")" -eq 2 ] # the header, the refusal
        [[ $output == *"refused copy $expected"* ]]
    done <<'CASES'
scops|s/MemRef_out.i0. }/MemRef_out[o0] }/|writes out at an index that is not an affine function
scops|s/MemRef_out.i0. }/MemRef_other[i0] }/|writes other, which is no argument
scops|s/MemRef_in.i0. }/MemRef_other[i0] }/|reads other, which is no argument
scops|s/MemRef_in.i0. }/MemRef0[i0] }/|reads memory without a name
scops|s/Stmt_body.i0./Stmt_body[]/;s/: 0 <= i0.*}/}/;s/MemRef_\(.*\)\[i0\]/MemRef_\1[0]/|some of its control flow depends on data
scops|s/^]}$/,{"function": "copy"}]}/|Polly sees more than one part
scops|s/"copy"/"other"/|Polly sees no affine loops in it
scops|/"read"/d|only 1 of its 2 loads and stores
scops|s/MemRef_in.i0. }/MemRef_in[0, i0] }/|accesses in as arrays of different numbers of dimensions
ir|s/%0 = load.*/%0 = load float*, float** %p/|loads a pointer from memory
ir|s/%0 = load.*/&\n  %1 = inttoptr i64 %2 to float*/|makes a pointer from an integer
ir|s/%0 = load.*/&\n  %1 = phi float* [ %a, %b ], [ %c, %d ]/|chooses a pointer at run time
ir|s/%0 = load.*/%0 = load ptr, ptr %p/|loads a pointer from memory
ir|s/%0 = load.*/&\n  %1 = phi ptr [ %a, %b ], [ %c, %d ]/|chooses a pointer at run time
ir|s/%0 = load float, float\*/%0 = load float, float* getelementptr (@state)/|uses the __device__ variable state
ir|s/i32 noundef %n/%struct.s* byval(%struct.s) align 4 %n/|argument n is a structure passed by value
ir|s/i32 noundef %n/<4 x float> %n/|argument n has the type <4 x float>
ir|s/i32 noundef %n/i32 %out/|two arguments are called out
ir|s/i32 noundef %n/float %n/|what it writes of out depends on %n
coordinates|s/.*/refused copy atomic function atomicAdd/|atomic function atomicAdd
scops|s/"value": {"name": "n", "bits": 32}/"value": {"product": [{"number": 2}, {"name": "n"}], "bits": 32}/|argument n has a name that the analysis uses itself
CASES
}

@test "what depends on a value that no launch knows is refused with Polly's word for it" {
    while IFS='|' read -r value text; do
        write_copy
        change_parameter "$value" "$text"
        run_map
        echo "$text: $output $stderr"
        [[ $output == *"refused copy what it writes of out depends on $text, which is not known at launch"* ]]
    done <<'CASES'
null|{0,+,1}<%entry>
null|(%n /u 2)
{"name": "launch_unknown3", "bits": 32}|%launch_unknown3
{"sum": [{"number": 1}, {"name": "launch_unknown3"}], "bits": 32}|(1 + %launch_unknown3)
CASES
}

@test "a grid-stride loop is named" {
    echo '{"scops": []}' >scops
    sed -i 's/^  ret void/  %next = add i64 %i, %size\n  %i = phi i64 [ 0, %a ], [ %next, %b ]\n&/' ir
    run_map
    [[ $output != *"grid-stride"* ]]
    sed -i 's/^  %next/  %product = mul i32 %launch_grid_x, %launch_block_x\n  %size = sext i32 %product to i64\n&/' ir
    run_map
    [[ $output == *"refused copy grid-stride loop"* ]]
}

@test "reads that are not known in full are taken as reads of everything" {
    change scops 's/MemRef_in.i0. }/MemRef_in[o0] }/'
    run_map
    has_line "  read whole the index is not an affine function of thread indices and scalars"
    has_line "  read_pattern -"
    [[ $output != *read_access* ]]
}

@test "memory of the thread and constants may be used" {
    change ir 's/%0 = load float, float\*/%0 = load float, float* addrspacecast (@table)/'
    change scops 's/MemRef_in.i0. }/MemRef0[i0] }/'
    run_map
    has_line "kernel copy"
    write_copy
    change ir 's/%0 = load/%launch_local = alloca [3 x float]\n  &/'
    change scops 's/MemRef_in.i0. }/MemRef_launch_local[i0] }/'
    run_map
    has_line "kernel copy"
}

@test "parameters may be expressions of arguments" {
    while IFS='|' read -r value expected; do
        write_copy
        change_parameter "$value" text
        change ir 's/i32 noundef %n/i32 noundef %nx, i32 noundef %ny/'
        run_map
        echo "$value: $output $stderr"
        has_line " define p_0 = $expected"
        has_line "  write_pattern launch_size_x,p_0"
        has_line " split x"
    done <<'CASES'
{"product": [{"name": "nx"}, {"name": "ny"}], "bits": 32, "nsw": true}|(nx * ny)
{"sum": [{"number": -1}, {"product": [{"number": 2}, {"extend": {"name": "nx"}, "bits": 64}], "bits": 64}], "bits": 64}|(-1 + (2 * nx))
{"product": [{"extend": {"name": "nx"}}, {"extend": {"name": "ny"}}], "bits": 64, "nsw": true}|(nx * ny)
{"product": [{"sum": [{"number": 1}, {"extend": {"name": "nx"}}]}, {"sum": [{"number": 2}, {"extend": {"name": "ny"}}]}], "bits": 64}|((1 + nx) * (2 + ny))
{"product": [{"name": "launch_block_x"}, {"name": "launch_grid_x"}], "bits": 32}|(launch_block_x * launch_grid_x)
CASES
}

# The pieces of what is invalid, with blanks between them.
assumes_not() {
    [ "$(sed -n 's/^ invalid //p' <<<"$output" | paste -sd ' ')" = "$1" ]
}

@test "expressions must be within their types, as the kernel's wrap where the data base's do not" {
    while IFS='|' read -r value invalid; do
        write_copy
        change_parameter "$value" text
        change ir 's/i32 noundef %n/i32 noundef %nx, i32 noundef %ny/'
        run_map
        echo "$value: $output $stderr"
        assumes_not "$invalid"
    done <<'CASES'
{"product": [{"name": "nx"}, {"name": "ny"}], "bits": 32}|[p_0] -> {  : p_0 <= -2147483649 } [p_0] -> {  : p_0 >= 2147483648 }
{"product": [{"name": "nx"}, {"name": "ny"}], "bits": 32, "nsw": true}|{  : false }
{"product": [{"extend": {"name": "nx"}}, {"extend": {"name": "ny"}}], "bits": 64}|{  : false }
{"product": [{"number": 2}, {"extend": {"product": [{"name": "nx"}, {"name": "ny"}], "bits": 32}}], "bits": 64}|[p_0_1] -> {  : p_0_1 <= -2147483649 } [p_0_1] -> {  : p_0_1 >= 2147483648 }
{"product": [{"number": 2}, {"extend": {"sum": [{"number": 1}, {"name": "nx"}], "bits": 32, "nsw": true}}], "bits": 64}|{  : false }
CASES
    has_line " define p_0_1 = (1 + nx)"
}

@test "assumptions are kept: Polly's and those of the loops around the kernel" {
    change scops '/"invalid"/s/false/n > 1000/'
    run_map
    assumes_not "[n] -> {  : n >= 1001 }"
    change scops '/"assumed"/s/:  }/: n > 9 }/'
    run_map
    assumes_not "[n] -> {  : n <= 9 } [n] -> {  : n >= 1001 }"
    write_copy
    echo "nonnegative copy (n - 2)" >>coordinates
    run_map
    assumes_not "[n] -> {  : n <= 1 }"
}

# $1: coordinates, $2: what is written, of an array without rows; $3: by which threads; prints yes or no.
injective() {
    write_copy
    local loops=${1// /, }
    echo "kernel copy coordinates $1" >coordinates
    sed -i -e 's/launch_size_x\] ->/launch_size_x, launch_block_x, launch_grid_x] ->/' -e "s/Stmt_body\\[i0\\]/Stmt_body[$loops]/" \
        -e "s/: 0 <= i0.*}/: $3 }/" -e "s/MemRef_\\(.*\\)\\[i0\\]/MemRef_\\1[$2]/" scops
    add_parameters launch_block_x launch_grid_x
    "$map" copy.cu coordinates scops ir | sed -n 's/^  injective //p'
}

@test "injectivity: of threads in the grid and in blocks, for every size of blocks" {
    [ "$(injective gx "2gx + 5" "0 <= gx < launch_size_x")" = yes ]
    [ "$(injective gx "n" "0 <= gx < launch_size_x")" = no ]
    local blocks="0 <= bx < launch_grid_x and 0 <= tx < launch_block_x" all
    all="0 <= ox < launch_size_x and $blocks"
    [ "$(injective "ox bx tx" "ox + tx" "$all")" = yes ]
    [ "$(injective "ox bx tx" "bx" "$all and tx = 0")" = yes ]
    [ "$(injective "ox bx tx" "bx" "$all")" = no ]
    [ "$(injective "bx tx" "16bx + tx" "$blocks")" = no ] # a block may have more than 16 threads
    [ "$(injective "bx tx" "16bx + tx" "$blocks and tx < 16")" = yes ]
    [ "$(injective "tx" "tx" "0 <= tx < launch_block_x")" = no ] # of every block
}

@test "rows must not overlap in injective writes" {
    write_rows
    run_map
    has_line "  injective yes"
    change scops 's/i1 < n and//'
    run_map
    has_line "  injective no"
}

@test "types of arguments" {
    while IFS='|' read -r type expected; do
        write_copy
        sed -i "s/i32 noundef %n/i32 noundef %n, $type noundef %extra/" ir
        run_map
        [ "$(grep -A 6 '^  name extra' <<<"$output" | sed 1d | awk '{ print $NF }' | paste -sd ' ')" = "$expected" ]
    done <<'CASES'
double|double 64 0 d 0 0
i1|i1 8 0 i 0 0
i64|i64 64 0 i 0 0
half*|half* 0 16 h 1 1
i8 addrspace(1)*|addrspace(1)* 0 8 i 1 1
float**|float** 0 64 i 1 2
[16 x float]*|float]* 0 0 i 1 1
ptr|ptr 0 8 i 1 1
ptr addrspace(1)|addrspace(1) 0 8 i 1 1
CASES
}

@test "bad input ends with exit 1 and one sentence" {
    while IFS='|' read -r file script expected; do
        write_copy
        change "$file" "$script"
        run_map
        echo "$file $script: $status, $output $stderr"
        [ "$status" -eq 1 ]
        [ -z "$output" ]
        [[ $(tail -n 1 <<<"$stderr") == "partition-map: "*"$expected"* ]]
    done <<'CASES'
coordinates|s/kernel/colonel/|coordinates, line 1: expected
coordinates|s/gx/gw/|coordinates, line 1: expected
coordinates|s/.*/&\n&/|coordinates, line 2: expected
coordinates|s/.*/&\nnonnegative other n/|coordinates, line 2: expected
coordinates|s/.*/&\natmost other 5 n/|coordinates, line 2: expected
coordinates|s/.*/&\natmost copy n/|coordinates, line 2: expected
coordinates|s/.*/&\ntouches other rw-/|coordinates, line 2: expected
coordinates|s/.*/&\ntouches copy rwx/|coordinates, line 2: expected
coordinates|s/.*/&\nnonnegative copy n +/|coordinates, line 2: expected
ir|s/@copy/@other/|ir defines 0 of the 1 kernels
scops|/"domain"/q|scops, line 15: 
scops|d|scops, line 1: 
scops|s/"scops"/"scopes"/|no list "scops"
scops|s/"accesses"/"access"/|no list "accesses"
scops|s/"text": "%n"/"text": 5/|no text "text"
scops|s/"name": "n", "bits": 32/"size": 5/|a value of no known kind
scops|s/"bytes": 4/"bytes": -4/|the elements of MemRef_in have no size
scops|s/"sizes": \[\]/"sizes": [5]/|a size of MemRef_in is no text
scops|s/must_write/wrote/|has an access that is none
scops|s/-> MemRef_in.*"/->"/|has an access that is none
scops|s/Stmt_body.i0. -> MemRef_in/Stmt_other[i0] -> MemRef_in/|does not fit its statement
scops|/"invalid"/s/\[n.*}/rubbish/|"invalid" is no set
scops|/"invalid"/s/\[n.*}/{ [i] : i = 0 }/|an assumption is no set of parameters
ir|s/float/\x00/|is not a text
CASES
    write_copy
    rm scops
    run_map
    [ "$status" -eq 1 ]
    [ "$stderr" = "partition-map: scops: No such file or directory" ]
    run_map --split w
    [ "$stderr" = "partition-map: --split: \`w\` is none of x, y, z" ]
    run "$map" one two
    [ "$status" -eq 1 ]
}

@test "partition_verdicts lists kernels and keys" {
    [ -x "$verdicts" ] || skip "there is no partition_verdicts"
    run_map
    echo "$output" >good.db
    change scops 's/MemRef_out.i0. }/MemRef_out[o0] }/'
    run_map
    echo "$output" >bad.db
    "$verdicts" --databases good.db,bad.db -n 2 -w 0 --csv >table.csv
    [ "$(cut -d, -f 2,9,10,13,19 table.csv | sed 1d)" = "$(printf '%s\n' analysed,copy,good,1,x analysed,copy,good,1,x)
$(cut -d, -f 2,9,10,13,19 table.csv | grep refused)" ]
    [ "$(grep -c '^partition_verdicts,refused,.*writes out at an index' table.csv)" -eq 2 ]
    "$verdicts" --databases good.db --dump --csv >dump.csv
    grep -q ',out,element size,.*,32,,0,pass' dump.csv
    grep -q ',copy,good,-,kernel partitioning,.*,x,,0,pass' dump.csv
    [ "$(grep -c pass dump.csv)" -eq 41 ]
}

@test "partition_verdicts refuses what is no data base" {
    [ -x "$verdicts" ] || skip "there is no partition_verdicts"
    echo rubbish >rubbish.db
    run "$verdicts" --databases rubbish.db
    [ "$status" -eq 1 ]
    [[ $output == *"RESULT: FAIL"*"rubbish.db is no data base"* ]]
    run "$verdicts" --databases missing.db
    [ "$status" -eq 1 ]
    [[ $output == *"missing.db cannot be opened"* ]]
}
