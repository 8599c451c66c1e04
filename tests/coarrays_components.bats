# coarrays/gfortran: what ends a program with a sentence: components that are not there or do not fit, collectives of types that
# the compiler does not tell enough about. (What STAT= tells is in fortran/component_errors.f90.)

load helper

setup() {
    unset "${!CAF_@}"
    command -v "${FC:-gfortran}" >/dev/null || skip "no Fortran compiler here"
    need_program caf
    [ -f "$bin/../lib/libcaf_datamotion.a" ] || skip "no MPI here: libcaf_datamotion was not built"
}

# fails_with SENTENCE: compiles the program on standard input and runs it with two images; it fails with the sentence.
fails_with() {
    cat >"$scratch/program.f90"
    "$bin/caf" -g "-J$scratch" "$scratch/program.f90" -o "$scratch/program"
    ranks 2 "$scratch/program"
    [ "$status" -ne 0 ]
    [ "$status" -ne 124 ]
    [[ $stderr == *"$1"* && $output != *"went on"* ]]
}

@test "components: a heap that is full names CAF_COMPONENTS" {
    export CAF_COMPONENTS=1M
    fails_with "set CAF_COMPONENTS to more" <<'END'
type :: box
    real, allocatable :: a(:)
end type
type(box) :: x[*]
allocate (x%a(200000))
deallocate (x%a)
allocate (x%a(300000))
print *, 'went on'
end
END
}

@test "components: CAF_COMPONENTS that is no size, or more than there is" {
    local program="type :: box
real, allocatable :: a(:)
end type
type(box) :: x[*]
allocate (x%a(1))
print *, 'went on'
end"
    export CAF_COMPONENTS=many
    fails_with "CAF_COMPONENTS is 'many', but must be a number of bytes" <<<"$program"
    export CAF_COMPONENTS=8000000G
    fails_with "set CAF_COMPONENTS" <<<"$program"
}

@test "components: a put into one that is not allocated" {
    fails_with "the component of image 2 is not allocated" <<'END'
type :: box
    real, allocatable :: a(:)
end type
type(box) :: x[*]
if (this_image() == 1) x[2]%a(1:3) = 1
sync all
print *, 'went on'
end
END
}

@test "components: a put does not reallocate another image's" {
    fails_with "3 elements, rank 1, are assigned to 4" <<'END'
type :: box
    real, allocatable :: a(:)
end type
type(box) :: x[*]
real :: y(3)
allocate (x%a(4))
y = 1
sync all
if (this_image() == 1) x[2]%a = y
sync all
print *, 'went on'
end
END
}

@test "components: a subscript outside of its bounds" {
    fails_with "subscript 9 of dimension 2 is outside of 5:8 on image 2" <<'END'
type :: box
    real, allocatable :: a(:, :)
end type
type(box) :: x[*]
integer :: j
allocate (x%a(2, 5:8))
sync all
j = 9
if (this_image() == 1) x[2]%a(2, j) = 1
sync all
print *, 'went on'
end
END
}

@test "a substring of another image's component in an expression, of which the compiler does not say the length" {
    fails_with "a substring of another image's characters" <<'END'
type :: named
    character(len=6) :: name
end type
type(named) :: x(2)[*]
x%name = 'abcdef'
sync all
if (x(1)[1]%name(2:4) == 'bcd') print *, 'went on'
end
END
}
