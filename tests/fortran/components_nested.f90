! Components of components: an allocatable coarray of structures with allocatable arrays of structures
! with allocatable arrays, pointers, and arrays of structures of constant shape.
module forests
    implicit none

    type :: leaf
        integer :: id
        real, allocatable :: values(:)
    end type

    type :: tree
        integer :: height
        type(leaf), allocatable :: leaves(:)
        type(leaf) :: roots(2)
        integer :: marks(2:4, 0:2)
        character(3) :: names(2)
    end type

    type :: handle
        real, pointer :: values(:)
    end type

contains

    pure function expected(image, t, l) result(values)
        integer, intent(in) :: image, t, l
        real :: values(image + l)
        integer :: i
        values = [(image * 1000 + t * 100 + l * 10 + 0.5 * i, i=1, image + l)]
    end function
end module

program components_nested
    use forests
    use testing
    implicit none
    type(tree), allocatable :: forest(:)[:]
    type(tree), allocatable :: grid(:, :)[:]
    type(handle) :: pointed[*]
    integer :: me, n, next, before

    me = this_image()
    n = num_images()
    next = merge(1, me + 1, me == n)
    before = merge(n, me - 1, me == 1)
    call plant()
    call read_leaves()
    call read_structures()
    call write_leaves()
    call grids()
    call pointers()
    call replant()
    call finish()

contains

    ! Image k: trees 0 to 2; tree t has k + t leaves; leaf l has k + l values.
    subroutine plant()
        integer :: t, l
        allocate (forest(0:2)[*])
        do t = 0, 2
            forest(t)%height = me * 10 + t
            forest(t)%marks = reshape([(me * 100 + t * 10 + l, l=1, 9)], [3, 3])
            forest(t)%names = ['abc', 'xyz']
            allocate (forest(t)%leaves(me + t))
            do l = 1, me + t
                forest(t)%leaves(l)%id = t * 100 + l
                allocate (forest(t)%leaves(l)%values(me + l))
                forest(t)%leaves(l)%values = expected(me, t, l)
            end do
            allocate (forest(t)%roots(2)%values(5))
            forest(t)%roots(:)%id = [me, -t]
            forest(t)%roots(2)%values = expected(me, t, 5 - me)
        end do
        sync all
    end subroutine

    subroutine read_leaves()
        integer :: k, t, l
        real, allocatable :: values(:)
        real :: one, some(5)
        do k = 1, n
            do t = 0, 2
                do l = 1, k + t
                    values = forest(t)[k]%leaves(l)%values
                    call check(size(values) == k + l, 'size of a leaf''s values')
                    call check(all(values == expected(k, t, l)), 'a leaf''s values')
                    one = forest(t)[k]%leaves(l)%values(k + l)
                    call check(one == values(k + l), 'one value')
                end do
                some(1:2) = forest(t)[k]%roots(2)%values(5:2:-3)
                call check(abs(some(1) - some(2) - 1.5) < 1e-3, 'values of a root')
            end do
        end do
    end subroutine

    subroutine read_structures()
        integer :: k, t, number, numbers(3)
        character(3) :: name
        do k = 1, n
            do t = 0, 2
                number = forest(t)[k]%height
                call check(number == k * 10 + t, 'component')
                number = forest(t)[k]%leaves(k + t)%id
                call check(number == t * 100 + k + t, 'component of a leaf')
                number = forest(t)[k]%roots(2)%id
                call check(number == -t, 'component of a root')
                name = forest(t)[k]%names(2)
                call check(name == 'xyz', 'characters')
                numbers = forest(t)[k]%marks(:, 1)
                call check(all(numbers == k * 100 + t * 10 + [4, 5, 6]), 'column')
                numbers(1:2) = forest(t)[k]%marks(4, 2:1:-1)
                call check(all(numbers(1:2) == k * 100 + t * 10 + [9, 6]), 'row backwards')
            end do
            numbers = forest(:)[k]%height
            call check(all(numbers == k * 10 + [0, 1, 2]), 'component of all trees')
            numbers(1:2) = forest(2:0:-2)[k]%height
            call check(all(numbers(1:2) == k * 10 + [2, 0]), 'component of some trees')
            numbers(1:2) = forest(2)[k]%leaves(2:1:-1)%id
            call check(all(numbers(1:2) == [202, 201]), 'component of some leaves')
        end do
    end subroutine

    subroutine write_leaves()
        real :: values(2)
        integer :: ids(3)
        sync all
        values = me
        ids = [7, 8, 9] * me
        forest(1)[next]%leaves(1)%values(1:2) = values
        forest(0)[next]%leaves(1)%values = -me
        forest(0)[next]%leaves(1)%id = me
        forest(:)[next]%height = ids
        forest(2)[next]%marks(3, 0:2:2) = ids(1:2)
        forest(2)[next]%names(1) = 'n'
        sync all
        call check(all(forest(1)%leaves(1)%values(1:2) == before), 'put into a leaf')
        call check(all(forest(0)%leaves(1)%values == -before), 'put of a scalar into a leaf')
        call check(size(forest(0)%leaves(1)%values) == me + 1, 'size after a put')
        call check(forest(0)%leaves(1)%id == before, 'put into a component of a leaf')
        call check(all(forest%height == [7, 8, 9] * before), 'put into a component of all trees')
        call check(all(forest(2)%marks(3, :) == [7 * before, me * 100 + 25, 8 * before]), 'put into a row')
        call check(all(forest(2)%names == ['n  ', 'xyz']), 'put of characters')
        sync all
        if (me == 1) forest(1)[n]%leaves(1)%values(1:1) = forest(2)[next]%leaves(1)%values(2:2)
        sync all
        if (me == n) then
            values(1) = forest(2)[merge(1, 2, n == 1)]%leaves(1)%values(2)
            call check(forest(1)%leaves(1)%values(1) == values(1), 'remote to remote')
        end if
        sync all
    end subroutine

    subroutine grids()
        integer :: i, j, number, column(3)
        real :: value
        allocate (grid(-1:1, 5:6)[0:*])
        do j = 5, 6
            do i = -1, 1
                grid(i, j)%height = me * 100 + 10 * i + j
                allocate (grid(i, j)%leaves(1))
                allocate (grid(i, j)%leaves(1)%values(1))
                grid(i, j)%leaves(1)%values(1) = me + i * j
            end do
        end do
        sync all
        number = grid(0, 6)[next - 1]%height
        call check(number == next * 100 + 6, 'element of a grid')
        column = grid(:, 5)[next - 1]%height
        call check(all(column == next * 100 + [-5, 5, 15]), 'column of a grid')
        value = grid(1, 6)[next - 1]%leaves(1)%values(1)
        call check(value == next + 6, 'leaf of a grid')
        sync all
        deallocate (grid)
    end subroutine

    ! What is allocated through the pointer can be reached.
    subroutine pointers()
        real :: values(3)
        allocate (pointed%values(3))
        pointed%values = me * [1, 2, 3]
        sync all
        values = pointed[next]%values(1:3)
        call check(all(values == next * [1, 2, 3]), 'pointer')
        values(1:2) = pointed[next]%values(3:1:-2)
        call check(all(values(1:2) == next * [3, 1]), 'pointer backwards')
        sync all
        deallocate (pointed%values)
    end subroutine

    subroutine replant()
        deallocate (forest)
        call plant()
        call read_leaves()
        call read_structures()
        sync all
        deallocate (forest)
    end subroutine
end program
