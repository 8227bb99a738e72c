package main

import "fmt"

//go:noinline
func sum(values []int32) (total int32) {
	for _, value := range values {
		total += value
	}
	return
}

//go:noinline
func worker(values []int32, results chan<- int32) {
	results <- sum(values)
}

//go:noinline
func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

// Deep enough for its goroutine's stack to be moved to a larger one several times.
//
//go:noinline
func deep(n int) int {
	var pad [64]int
	if n == 0 {
		return 0
	}
	pad[n%64] = n
	return deep(n-1) + pad[n%64]
}

//go:noinline
func grow(n int, done chan<- int) {
	done <- deep(n)
}

func main() {
	values := make([]int32, 1000)
	for i := range values {
		values[i] = int32(i)
	}
	for i := 1; i <= 10; i++ {
		fmt.Println(sum(values[:100*i]))
	}
	results := make(chan int32)
	for i := 0; i < 4; i++ {
		go worker(values[:250], results)
	}
	for i := 0; i < 4; i++ {
		fmt.Println(<-results)
	}
	fmt.Println(fib(20))
	done := make(chan int)
	for i := 1; i <= 10; i++ { // one at a time: at the same depth they would be alike
		go grow(200*i, done)
		<-done
	}
	fmt.Println(deep(3000))
}
