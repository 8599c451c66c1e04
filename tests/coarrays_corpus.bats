# coarrays/: a corpus of small units over the parts of the standard that concern images (tests/fortran/corpus), many to a
# program, with 1 to 4 images. CORPUS=full: optimised too, with 8 images, over MPI within the node, and one image
# against the compiler's own -fcoarray=single.
# shellcheck disable=SC2164,SC2030,SC2031
# bats stops at a failed command, and each test is a subshell.

load helper

setup_file() {
    export BIN=$bin PROGRAMS=$BATS_FILE_TMPDIR SOURCES=$PWD/tests/fortran
    export CAF_WAIT_LIMIT_S=200
    [ -z "$(missing)" ] || return 0
    cd "$PROGRAMS"
    "$SOURCES/corpus/generate" . 24 "$(miscompiled)" >names
    build fast "$BIN/caf" -O0
}

setup() {
    local reason
    reason=$(missing)
    [ -z "$reason" ] || skip "$reason"
}

missing() {
    command -v "${FC:-gfortran}" >/dev/null || { echo "no Fortran compiler here"; return; }
    command -v "${MPIRUN:-mpirun}" >/dev/null || { echo "no mpirun here"; return; }
    [ -x "$BIN/caf" ] || echo "$BIN/caf was not built"
}

# Units that the compiler gets wrong, whatever the library (coarrays/README.md).
miscompiled() {
    case $("${FC:-gfortran}" -dumpversion 2>/dev/null) in
    15*) echo 'c11_critical_once|c11_lock_once' ;;
    16*) echo c16_atomic_cas_once ;;
    esac
}

# build FOLDER COMPILER...: all programs.
build() {
    mkdir -p "$PROGRAMS/$1"
    cd "$PROGRAMS/$1"
    "${@:2}" -std=f2018 -c "$SOURCES/testing.f90"
    # A program that does not compile is a failure of the tests that run it.
    xargs -P 2 -I NAME sh -c '"$@" -std=f2018 ../NAME.f90 testing.o -o NAME >NAME.compiler 2>&1 || true' sh "${@:2}" <../names
}

# all_pass FOLDER COMMAND...: every program passes, with all of its units, when the command starts it.
all_pass() {
    local name failed=0
    while read -r name; do
        [ -x "$PROGRAMS/$1/$name" ] || { cat "$PROGRAMS/$1/$name.compiler"; failed=1; continue; }
        run timeout 300 "${@:2}" "$PROGRAMS/$1/$name"
        if [ "$status" -ne 0 ] || [ "$(grep -cx 'Test passed.' <<<"$output")" -ne 1 ]; then
            printf '%s ended with %s:\n%s\n' "$name" "$status" "$output"
            failed=1
        fi
    done <"$PROGRAMS/names"
    return "$failed"
}

need_full() {
    [ "${CORPUS:-}" = full ] || skip "only with CORPUS=full"
}

@test "the corpus has at least 150 units" {
    [ "$(sed -n "s/.*'units: \([0-9]*\)'.*/\1/p" "$PROGRAMS"/corpus_*.f90 | awk '{ units += $1 } END { print units }')" -ge 150 ]
}

@test "corpus: 1 image" {
    all_pass fast env
}

@test "corpus: 2 images" {
    all_pass fast "$BIN/cafrun" -np 2
}

@test "corpus: 3 images" {
    all_pass fast "$BIN/cafrun" -np 3
}

@test "corpus: 4 images" {
    all_pass fast "$BIN/cafrun" -np 4
}

@test "corpus: optimised, 2 and 8 images" {
    need_full
    (build optimised "$BIN/caf" -O2)
    all_pass optimised "$BIN/cafrun" -np 2
    all_pass optimised "$BIN/cafrun" -np 8
}

@test "corpus: 3 images, MPI also within the node" {
    need_full
    CAF_PATH=rma all_pass fast "$BIN/cafrun" -np 3
}

@test "corpus: the compiler's own single image" {
    need_full
    (build single "${FC:-gfortran}" -fcoarray=single)
    # It ends at CHANGE TEAM without a word, and LOCK does not tell that the lock is held.
    grep -LE 'change team|stat_locked' "$PROGRAMS"/corpus_*.f90 | sed 's|.*/||; s|\.f90$||' >"$PROGRAMS/names"
    all_pass single env
}
